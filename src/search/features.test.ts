import { expect, test } from 'vitest';
import { featureOf } from './features.ts';
import type { Measured } from './signals.ts';

const measured = {
  passages: Float32Array.of(0.5, 1, 0, 0.5, 0.9),
  story: Float32Array.of(1, 0.5, 0, 0, 1),
} as Partial<Measured> as Measured;

const feature = (name: string, length = 100) =>
  [...featureOf(name, { measured, length, candidates: [0, 1, 2, 3] })].map((value) =>
    Number(value.toFixed(3)),
  );

test('a signal is a feature as it is, and by its place among the candidates', () => {
  expect(feature('passages')).toEqual([0.5, 1, 0, 0.5, 0.9]);
  // The last file is no candidate: it takes the place that it would have, and moves nobody.
  expect(feature('1/passages')).toEqual([0.5, 1, 0, 0.5, 0.5]);
});

test('factors are multiplied, and the length of the text is one', () => {
  expect(feature('passages*story')).toEqual([0.5, 0.5, 0, 0, 0.9]);
  expect(feature('long*story', 50)).toEqual([0, 0, 0, 0, 0]);
  expect(feature('long*story', 99_999)).toEqual([1, 0.5, 0, 0, 1]);
});

test('places beyond the fiftieth count for nothing', () => {
  const values = Float32Array.from({ length: 60 }, (_, file) => 1 - file / 100);
  const candidates = Array.from(values.keys());
  const places = featureOf('1/passages', {
    measured: { passages: values } as Measured,
    length: 1,
    candidates,
  });
  expect(places[49]).toBeCloseTo(1 / 50);
  expect([...places.subarray(50)]).toEqual(Array(10).fill(0));
});
