import { subscribe } from 'node:diagnostics_channel';
import { GIT_CHANNEL } from './run.ts';

let count = 0;
subscribe(GIT_CHANNEL, () => {
  count += 1;
});

/** Git processes that this thread has started, to prove that a request was refused before git ran. */
export function spawnCount(): number {
  return count;
}
