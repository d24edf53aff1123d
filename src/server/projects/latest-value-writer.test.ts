import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLatestValueWriter } from './latest-value-writer.ts';

test('writes are serialized and superseded values skipped', async () => {
  const written: number[] = [];
  let release = () => {};
  const writer = createLatestValueWriter<number>(
    (value) =>
      new Promise((resolve) => {
        written.push(value);
        release = resolve;
      }),
    () => {},
  );
  writer.push(1);
  writer.push(2);
  writer.push(3);
  expect(written).toEqual([1]);
  release();
  await turn();
  expect(written).toEqual([1, 3]);
  release();
  await writer.settle();
});

test('nothing is written after settle', async () => {
  const written: number[] = [];
  const writer = createLatestValueWriter<number>(
    async (value) => {
      await turn();
      written.push(value);
    },
    () => {},
  );
  writer.push(1);
  writer.push(2);
  await writer.settle();
  await turn();
  expect(written).toEqual([1]);
});

test('a failed write is reported once and stops the writer', async () => {
  const errors: unknown[] = [];
  const writer = createLatestValueWriter<number>(
    async () => {
      throw new Error('gone');
    },
    (error) => errors.push(error),
  );
  writer.push(1);
  await writer.settle();
  writer.push(2);
  await writer.settle();
  expect(errors).toHaveLength(1);
});
