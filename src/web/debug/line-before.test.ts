import { expect, test } from 'vitest';
import type { Hunk } from '#contract/projects.ts';
import { lineBefore } from './line-before.ts';

const lines = (text: string): Hunk['lines'] =>
  text.split('').map((sign) => ({
    kind: sign === '-' ? ('delete' as const) : sign === '+' ? ('add' as const) : ('context' as const),
    text: '',
  }));
const hunk = (old_start: number, new_start: number, text: string): Hunk => {
  const all = lines(text);
  const count = (kind: string) => all.filter((line) => line.kind !== kind).length;
  return {
    old_start,
    old_lines: count('add'),
    new_start,
    new_lines: count('delete'),
    header: '',
    lines: all,
  };
};

test.each([
  // Old 10 to 13 (` --` and ` `), new 10 to 14 (` +++ `).
  [5, 5],
  [10, 10],
  [11, 11],
  [12, 12],
  [13, 12],
  [14, 13],
  [20, 19],
])('line %i of the new side was line %i', (line, before) => {
  expect(lineBefore([hunk(10, 10, ' --+++ ')], line)).toBe(before);
});

test('a line that replaced nothing leads to the line that was there', () => {
  expect(lineBefore([hunk(3, 3, ' + ')], 4)).toBe(4);
});
