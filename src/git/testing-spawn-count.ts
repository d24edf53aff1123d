import { subscribe } from 'node:diagnostics_channel';

let count = 0;
subscribe('hindsight:git', () => {
  count += 1;
});

/** Git processes that this thread has started, to prove that a request was refused before git ran. */
export function spawnCount(): number {
  return count;
}
