import { setTimeout as delay } from 'node:timers/promises';

const DEADLOCK_DETECTED = '40P01';

/**
 * Runs a statement again, up to five times, when PostgreSQL ended it to resolve a deadlock. Only for a statement or
 * transaction that is complete in itself: the one that was ended has changed nothing.
 */
export async function retryDeadlock<Result>(run: () => Promise<Result>, attempts = 5): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK_DETECTED || attempt === attempts) throw error;
      await delay(20 * attempt * Math.random());
    }
  }
}
