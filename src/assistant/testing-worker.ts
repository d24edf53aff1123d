import { setTimeout as sleep } from 'node:timers/promises';
import { createTaskRunner } from './task-runner.ts';

/** Entry point of a thread with test tasks. */
export const runTask = createTaskRunner({
  /** Blocks the thread for so long, so that no message is received. */
  async spin({ ms }: { ms: number }) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return 'spun';
  },
  /** Waits for so long, or until it is aborted. */
  wait: ({ ms }: { ms: number }, signal) => sleep(ms, 'waited', { signal }).catch(() => 'stopped'),
});
