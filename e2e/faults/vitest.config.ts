import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/faults/**/*.test.ts'],
    root: '.',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
