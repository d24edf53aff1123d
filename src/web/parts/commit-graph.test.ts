import { expect, test } from 'vitest';
import { layoutGraph } from './commit-graph.ts';

test('a branch takes a lane of its own until the commit that it began at', () => {
  const rows = layoutGraph([
    { hash: 'merge', parents: ['main', 'side'] },
    { hash: 'side', parents: ['base'] },
    { hash: 'main', parents: ['base'] },
    { hash: 'base', parents: [] },
  ]);
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
  expect(rows[0]?.segments).toEqual([
    { from: 0, to: 0, y: [0.5, 1] },
    { from: 0, to: 1, y: [0.5, 1] },
  ]);
  // The side branch reached the common parent first, so main joins its lane.
  expect(rows[3]?.segments).toEqual([{ from: 1, to: 1, y: [0, 0.5] }]);
  expect(rows[2]?.segments).toContainEqual({ from: 0, to: 1, y: [0.5, 1] });
});
