import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the browser, for playwright's `executablePath`. */
    chromium: string;
  }
}

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    root: '.',
    globalSetup: 'e2e/sentinels.ts',
    provide: { chromium: process.env.CHROMIUM ?? 'chromium' },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
