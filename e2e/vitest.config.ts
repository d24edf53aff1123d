import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser, for playwright's `executablePath`. */
    chromium: string;
  }
}

/** Files of minutes, started first so that none of them goes on alone at the end. */
const LONG = /\/(?:spec|pages)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    // A step of its own: it watches how fast others are answered.
    exclude: ['e2e/attack/**'],
    root: '.',
    globalSetup: ['e2e/sentinels.ts', 'e2e/cluster.ts', 'src/git/testing-setup.ts'],
    setupFiles: 'src/git/testing-spawner.ts',
    provide: { chromium: process.env.CHROMIUM ?? 'chromium' },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    isolate: false,
    // A journey waits for its browser half of the time.
    maxWorkers: 3,
    experimental: { viteModuleRunner: false },
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others use as well; `scripts/steps.mjs` names what needed it.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
  },
});
