import { findOrInstallChromium } from './chromium.mjs';
import { oneOf, outageTests, program, runAndExit, staticChecks, unitTests, vitest } from './steps.mjs';

/** Tests that need a browser. */
function browserTests(name, config) {
  return {
    name,
    run: async (output) => {
      const chromium = await findOrInstallChromium();
      if (chromium === null) return oneOf(false);
      return await vitest(name, ['--config', config], { CHROMIUM: chromium }).run(output);
    },
  };
}

const components = browserTests('components in a browser', 'e2e/components/vitest.config.ts');
const journeys = browserTests('journeys in a browser', 'e2e/vitest.config.ts');
const webApp = program('web app', ['start.mjs', '--only-build']);
const attacks = vitest('attacks, short form', ['--config', 'e2e/attack/vitest.config.ts']);
const faults = vitest('faults, short form', ['--config', 'e2e/faults/vitest.config.ts']);

// At most one lane of a stage fills both cores; the other keeps at most one busy, or waits.
await runAndExit([
  [
    [...staticChecks, components],
    [webApp, attacks],
  ],
  [[unitTests], [outageTests]],
  [[journeys], [faults]],
]);
