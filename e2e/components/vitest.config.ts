import { defineConfig } from 'vitest/config';

/** Hooks and components in a page without a server: a step of its own, by one worker that builds them once. */
export default defineConfig({
  test: {
    include: ['e2e/components/**/*.test.ts'],
    root: '.',
    provide: { chromium: process.env.CHROMIUM ?? 'chromium' },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false },
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 30_000 } },
    retry: process.env.CI ? 1 : 0,
  },
});
