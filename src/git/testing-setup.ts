import type { TestProject } from 'vitest/node';
import { startSpawner } from './spawner.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the run's spawner. */
    gitSpawner: string;
  }
}

/**
 * Starts the one spawner of a test run; returns what ends it. A process that runs tests has hundreds of megabytes: without it
 * a fifth of the processor's time would be spent on copying page tables.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const spawner = await startSpawner();
  project.provide('gitSpawner', spawner.folder);
  return spawner.close;
}
