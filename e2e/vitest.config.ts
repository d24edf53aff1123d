import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser, for playwright's `executablePath`. */
    chromium: string;
  }
}

/** The longest first, so that nothing goes on alone at the end: by far that is the specification. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/spec.test.ts');
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
    maxWorkers: 2,
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others use as well; `scripts/steps.mjs` names what needed it.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
  },
});
