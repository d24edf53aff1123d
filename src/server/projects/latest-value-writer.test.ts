import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLatestValueWriter } from './latest-value-writer.ts';

test('writes one value at a time and skips what was overtaken', async () => {
  const written: number[] = [];
  let release = () => {};
  const progress = createLatestValueWriter<number>(
    (value) =>
      new Promise((resolve) => {
        written.push(value);
        release = resolve;
      }),
    () => {},
  );
  progress.push(1);
  progress.push(2);
  progress.push(3);
  expect(written).toEqual([1]);
  release();
  await turn();
  expect(written).toEqual([1, 3]);
  release();
  await progress.settle();
});

test('nothing is written after settle, so a last write stays the last', async () => {
  const written: number[] = [];
  const progress = createLatestValueWriter<number>(
    async (value) => {
      await turn();
      written.push(value);
    },
    () => {},
  );
  progress.push(1);
  progress.push(2);
  await progress.settle();
  await turn();
  expect(written).toEqual([1]);
});

test('a failed write is told once and ends it', async () => {
  const errors: unknown[] = [];
  const progress = createLatestValueWriter<number>(
    async () => {
      throw new Error('gone');
    },
    (error) => errors.push(error),
  );
  progress.push(1);
  await progress.settle();
  progress.push(2);
  await progress.settle();
  expect(errors).toHaveLength(1);
});
