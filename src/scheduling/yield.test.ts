import { expect, test } from 'vitest';
import { yieldIfDue } from './yield.ts';

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('timers run while long work yields', async () => {
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  for (let step = 0; step < 50; step++) {
    work(10);
    await yieldIfDue();
  }
  clearInterval(timer);
  expect(fired).toBeGreaterThanOrEqual(4);
});

test('work whose caller has gone ends at the next yield', async () => {
  const caller = new AbortController();
  setTimeout(() => caller.abort(new Error('gone')), 1);
  const steps = async () => {
    for (let step = 0; step < 1000; step++) {
      work(10);
      await yieldIfDue(caller.signal);
    }
  };
  await expect(steps()).rejects.toThrow('gone');
});
