import { findOrInstallChromium } from './chromium.mjs';
import { CHECKS, oneOf, program, runAndExit, vitest } from './steps.mjs';

const browserTests = {
  name: 'journeys in a browser, and faults in short form',
  run: async () => {
    const chromium = await findOrInstallChromium();
    if (chromium === null) return oneOf(false);
    return vitest('journeys', ['--config', 'e2e/vitest.config.ts'], { CHROMIUM: chromium }).run();
  },
};

await runAndExit([
  ...CHECKS,
  program('web app', ['start.mjs', '--only-build']),
  browserTests,
  vitest('attacks, short form', ['--config', 'e2e/attack/vitest.config.ts']),
]);
