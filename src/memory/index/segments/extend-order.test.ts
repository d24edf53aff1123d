import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortByDate } from './date-order.ts';
import { extendOrder } from './extend-order.ts';

/** A history: parents of each commit, all of lower number, and times, most of them later than those of the parents. */
const history = fc
  .array(
    fc.record({
      back: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
      step: fc.integer({ min: -2, max: 3 }),
    }),
    {
      minLength: 3,
      maxLength: 40,
    },
  )
  .map((rows) => {
    const committed = [100];
    const parents: number[][] = [[]];
    for (const { back, step } of rows) {
      const commit = committed.length;
      parents.push(
        [...new Set([commit - 1, ...back.map((by) => Math.max(0, commit - 1 - by))])]
          .filter((_, at) => at > 0 || back.length === 0 || step >= 0)
          .slice(0, 3),
      );
      committed.push(Math.max(1, committed[commit - 1]! + step));
    }
    return { parents, committed };
  });

test('an extended order equals that of all commits', () => {
  let extended = 0;
  fc.assert(
    fc.property(history, fc.nat({ max: 1000 }), ({ parents, committed }, cut) => {
      // Side branches: commits whose main parent is left out now and then.
      const before = 1 + (cut % (parents.length - 1));
      const values = parents.flat();
      const starts = new Uint32Array(parents.length + 1);
      parents.forEach((of, commit) => {
        starts[commit + 1] = starts[commit]! + of.length;
      });
      const groups = { starts, values: Uint32Array.from(values) };
      const times = Uint32Array.from(committed);
      const old = sortByDate(groups, times, [before - 1]);
      const head = parents.length - 1;
      const whole = sortByDate(groups, times, [head]);
      const visible = new Set(old);
      const added = [...whole].filter((commit) => !visible.has(commit)).toSorted((a, b) => a - b);
      const graph = {
        parents: (commit: number) => parents[commit]!,
        committed: (commit: number) => times[commit]!,
      };
      const order = extendOrder(old, added, head, graph);
      if (order === null) return;
      extended++;
      expect([...order]).toEqual([...whole]);
    }),
    { numRuns: 2000 },
  );
  expect(extended).toBeGreaterThan(100);
});
