import { defineConfig } from 'vitest/config';
import { longestFirst } from './vitest.longest-first.ts';

const WEB = ['src/web/**/*.test.ts'];
/** Programs that are killed, start again, or have a full disk: they wait for most of their time. */
const OUTAGES = ['src/restart.test.ts', 'src/full-disk.test.ts', 'src/killed-postgres.test.ts'];

/** Files of half a minute and more. */
const LONG = [
  ...['revision-matrix', 'expanding-repository', 'hostile-requests', 'limits', 'type-checker'],
  ...['git/push', 'checker-pool', 'refresh', 'pull-requests', 'permissions', 'process-pool'],
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Test files share a process and its modules: starting one for each took half of the processor time of a run.
    isolate: false,
    maxWorkers: 3,
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    // On a machine that others use as well; `scripts/steps.mjs` names what needed it. Never where one of many random
    // cases failed: the second try would draw others.
    retry: { count: process.env.CI ? 1 : 0, condition: /^(?!Property failed)/ },
    sequence: { sequencer: longestFirst(LONG) },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'checks/**/*.test.ts'],
          exclude: [...WEB, ...OUTAGES],
          globalSetup: ['src/db/testing-setup.ts', 'src/git/testing-setup.ts'],
          setupFiles: ['src/git/testing-spawner.ts'],
          // Node runs TypeScript itself, as in production.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'outages',
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: OUTAGES,
          globalSetup: ['src/git/testing-setup.ts'],
          setupFiles: ['src/git/testing-spawner.ts'],
          experimental: { viteModuleRunner: false },
        },
      },
      // JSX needs Vite.
      { extends: true, test: { name: 'web', include: WEB } },
    ],
  },
});
