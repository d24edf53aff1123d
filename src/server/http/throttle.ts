import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Throttles the work of each key: it starts at once, then at most once every `ms`. Calls in between are coalesced into one
 * trailing run, so that the last state is always processed.
 */
export function createThrottle(
  ms: number,
  work: (key: string) => Promise<void>,
): (key: string) => Promise<void> {
  const running = new Set<string>();
  const pending = new Set<string>();
  return async (key) => {
    pending.add(key);
    if (running.has(key)) return;
    running.add(key);
    try {
      while (pending.delete(key)) {
        await work(key);
        await sleep(ms, undefined, { ref: false });
      }
    } finally {
      running.delete(key);
    }
  };
}
