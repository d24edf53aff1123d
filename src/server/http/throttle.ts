import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Spaces out the work for each key: it begins at once, then at most once every `ms`, and calls in between are
 * answered by one more run at the end, so that the last state always gets through.
 */
export function createThrottle(
  ms: number,
  work: (key: string) => Promise<void>,
): (key: string) => Promise<void> {
  const busy = new Set<string>();
  const again = new Set<string>();
  return async (key) => {
    again.add(key);
    if (busy.has(key)) return;
    busy.add(key);
    try {
      while (again.delete(key)) {
        await work(key);
        await sleep(ms, undefined, { ref: false });
      }
    } finally {
      busy.delete(key);
    }
  };
}
