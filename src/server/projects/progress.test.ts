import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { latest } from './progress.ts';

test('writes one value at a time and skips what was overtaken', async () => {
  const written: number[] = [];
  let release = () => {};
  const progress = latest<number>(
    (value) =>
      new Promise((resolve) => {
        written.push(value);
        release = resolve;
      }),
    () => {},
  );
  progress.tell(1);
  progress.tell(2);
  progress.tell(3);
  expect(written).toEqual([1]);
  release();
  await turn();
  expect(written).toEqual([1, 3]);
  release();
  await progress.settle();
});

test('nothing is written after settle, so a last write stays the last', async () => {
  const written: number[] = [];
  const progress = latest<number>(
    async (value) => {
      await turn();
      written.push(value);
    },
    () => {},
  );
  progress.tell(1);
  progress.tell(2);
  await progress.settle();
  await turn();
  expect(written).toEqual([1]);
});

test('a failed write is told once and ends it', async () => {
  const errors: unknown[] = [];
  const progress = latest<number>(
    async () => {
      throw new Error('gone');
    },
    (error) => errors.push(error),
  );
  progress.tell(1);
  await progress.settle();
  progress.tell(2);
  await progress.settle();
  expect(errors).toHaveLength(1);
});
