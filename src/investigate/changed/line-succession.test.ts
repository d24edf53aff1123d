import { expect, test } from 'vitest';
import type { Hunk } from '#contract/projects.ts';
import { addsCheck } from './line-succession.ts';

/** A hunk as `git diff` prints its lines. */
const hunk = (...lines: string[]) =>
  ({
    lines: lines.map((line) => ({
      kind: line[0] === '+' ? 'add' : line[0] === '-' ? 'delete' : 'context',
      text: line.slice(1),
    })),
  }) as unknown as Hunk;

test('where the value that failed is known, a check of another one is none', () => {
  const added = hunk('+if (value == null) {', '+  continue;', '+}', ' let id = inputs.get(value.input);');
  expect(addsCheck('let id = inputs.get(value.input);', added, ['inputs'])).toBe(false);
  expect(addsCheck('let id = inputs.get(value.input);', added, ['value'])).toBe(true);
});

test.each([
  ['an added condition', true, ['+if (rows === null) return [];', ' for (const row of rows) {']],
  ['a rewritten condition', false, ['-elif has(data):', '+elif isinstance(data):', ' for row in rows:']],
  ['a condition of which a part was split off', true, ['-if (a)', '+if (a)', '+if (b)', ' rows.map(f)']],
  ['a moved condition', false, ['+if (a)', '-if (a)', ' rows.map(f)']],
  ['a condition far above', false, ['+if (a)', ' 1', ' 2', ' 3', ' 4', ' rows.map(f)']],
])('a check is added by %s: %s', (_, expected, lines) => {
  expect(addsCheck(lines.at(-1)!.slice(1), hunk(...lines))).toBe(expected);
});
