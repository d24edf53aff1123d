import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'checks/**/*.test.ts'],
    globalSetup: ['src/db/testing-setup.ts', 'src/git/testing-setup.ts'],
    setupFiles: ['src/git/testing-spawner.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others use as well; `scripts/steps.mjs` names what needed it. Never where one of many random
    // cases failed: the second try would draw others.
    retry: { count: process.env.CI ? 1 : 0, condition: /^(?!Property failed)/ },
  },
});
