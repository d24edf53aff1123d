import { check as checkFile, type Diagnosis } from './check.ts';

/** Checks a file in the thread of `pool.ts`. */
export async function check(file: { path: string; text: string }): Promise<Diagnosis> {
  try {
    return await checkFile(file);
  } catch {
    // A checker that broke off leaves its WebAssembly memory in disorder. The next file gets a new thread.
    return process.exit(1);
  }
}
