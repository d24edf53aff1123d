import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Sent } from './worker.ts';

/** Holds the thread for so long, deaf to messages. */
export async function spin({ ms, stop }: Sent<{ ms: number }>): Promise<Outcome<string>> {
  const end = performance.now() + ms;
  while (performance.now() < end);
  stop.close();
  return { value: 'spun' };
}

/** Waits until it is stopped, or for so long. */
export async function wait({ ms, stop }: Sent<{ ms: number }>): Promise<Outcome<string>> {
  const ending = new AbortController();
  stop.once('message', () => ending.abort());
  const how = await sleep(ms, 'waited', { signal: ending.signal }).catch(() => 'stopped');
  stop.close();
  return { value: how };
}
