import { defineConfig } from 'vitest/config';
import { longestFirst } from '../vitest.longest-first.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser, for playwright's `executablePath`. */
    chromium: string;
  }
}

/** Files of a minute and more. */
const LONG = ['spec', 'pages', 'hostile-text', 'journey', 'editor', 'security', 'push-fix'];

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    // Steps of their own.
    exclude: ['e2e/attack/**', 'e2e/components/**', 'e2e/faults/**'],
    root: '.',
    globalSetup: ['e2e/sentinels.ts', 'e2e/cluster.ts', 'src/git/testing-setup.ts'],
    setupFiles: 'src/git/testing-spawner.ts',
    provide: { chromium: process.env.CHROMIUM ?? 'chromium' },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    pool: 'forks',
    isolate: false,
    // A journey waits for its browser half of the time.
    maxWorkers: 3,
    experimental: { viteModuleRunner: false },
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others use as well; `scripts/steps.mjs` names what needed it.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: longestFirst(LONG) },
  },
});
