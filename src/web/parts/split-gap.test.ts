import { expect, test } from 'vitest';
import { splitGap, splitGapLines } from './split-gap.ts';

const LINES = splitGapLines(Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join(''));
const between = { from: 11, to: 160, offset: 2 };

test('a gap says how many lines it hides before the file is there', () => {
  expect(splitGap(between, null, 50)).toEqual({ top: null, hidden: 150, bottom: null });
  expect(splitGap({ ...between, to: null }, null, 50).hidden).toBeNull();
});

test('lines are revealed at both ends, with the numbers of both sides, until none is hidden', () => {
  const { top, hidden, bottom } = splitGap(between, LINES, 50);
  expect(top).toMatchObject({ old_start: 13, new_start: 11, new_lines: 50 });
  expect(bottom).toMatchObject({ old_start: 113, new_start: 111, new_lines: 50 });
  expect([top?.lines.at(-1)?.text, hidden, bottom?.lines[0]?.text]).toEqual(['line 60', 50, 'line 111']);
  const all = splitGap(between, LINES, 100);
  expect([all.top?.new_lines, all.hidden, all.bottom]).toEqual([150, 0, null]);
});

test('before the first hunk lines are revealed from below, after the last from above', () => {
  const before = splitGap({ from: 1, to: 90, offset: 0 }, LINES, 50);
  expect([before.top, before.hidden, before.bottom?.new_start]).toEqual([null, 40, 41]);
  const after = splitGap({ from: 121, to: null, offset: 0 }, LINES, 50);
  expect([after.top?.lines[0]?.text, after.hidden, after.bottom]).toEqual(['line 121', 30, null]);
  expect(splitGap({ from: 201, to: null, offset: 0 }, LINES, 50).hidden).toBe(0);
});
