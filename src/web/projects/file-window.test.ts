import { expect, test } from 'vitest';
import { firstWindow, joinWindows, windowAfter, windowBefore } from './file-window.ts';

function part(start: number, count: number, total: number, blamed = true) {
  const run = { start, lines: count, hash: 'a', author: 'b', timestamp: '', summary: '' };
  const lines = Array.from({ length: count }, (_, index) => `line ${start + index}`);
  return { path: 'x', commit: 'c', start, total_lines: total, lines, blame: blamed ? [run] : [] };
}

test('selected lines are well inside the first window', () => {
  expect(firstWindow(null)).toEqual({ from: 1, to: 1_000 });
  expect(firstWindow({ from: 50, to: 60 })).toEqual({ from: 1, to: 1_000 });
  expect(firstWindow({ from: 5_000, to: 5_010 })).toEqual({ from: 4_800, to: 5_799 });
});

test('windows extend to both ends of the file', () => {
  expect(windowBefore(part(4_800, 1_000, 9_000))).toEqual({ from: 3_800, to: 4_799 });
  expect(windowBefore(part(301, 1_000, 9_000))).toEqual({ from: 1, to: 300 });
  expect(windowBefore(part(1, 10, 10))).toBeUndefined();
  expect(windowAfter(part(1, 1_000, 1_001))).toEqual({ from: 1_001, to: 2_000 });
  expect(windowAfter(part(1, 10, 10))).toBeUndefined();
  expect(windowAfter(part(1, 0, 0))).toBeUndefined();
});

test('joined windows are one file; blame is used only when complete', () => {
  const joined = joinWindows([part(1, 2, 4), part(3, 2, 4)]);
  expect(joined?.lines).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
  expect(joined?.blame).toHaveLength(2);
  expect(joinWindows([part(1, 2, 4), part(3, 2, 4, false)])?.blame).toEqual([]);
  expect(joinWindows([])).toBeNull();
});
