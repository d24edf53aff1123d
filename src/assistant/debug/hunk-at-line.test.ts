import { expect, test } from 'vitest';
import type { Hunk } from '#contract/projects.ts';
import { hunkAtLine } from './hunk-at-line.ts';

/** Adds lines 2 to 21 between two lines of context, and deletes one. */
const long: Hunk = {
  ...{ header: '', old_start: 1, old_lines: 3, new_start: 1, new_lines: 22 },
  lines: [
    { kind: 'context', text: 'first' },
    { kind: 'delete', text: 'old' },
    ...Array.from({ length: 20 }, (_, at) => ({ kind: 'add' as const, text: `new ${at + 2}` })),
    { kind: 'context', text: 'last' },
  ],
};

test('a hunk begins shortly before a line that is far below its first change', () => {
  const { lines, ...place } = hunkAtLine(long, 18);
  expect(lines.map(({ text }) => text).slice(0, 6)).toEqual(
    [13, 14, 15, 16, 17, 18].map((at) => `new ${at}`),
  );
  expect(lines.at(-1)!.text).toBe('last');
  expect(place).toMatchObject({ old_start: 3, old_lines: 1, new_start: 13, new_lines: 10 });
});

test.each([
  ['near its first change', 8],
  ['that it does not have', 99],
])('a hunk stays whole for a line %s', (_, line) => expect(hunkAtLine(long, line)).toBe(long));
