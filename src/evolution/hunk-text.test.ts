import { expect, test } from 'vitest';
import type { Hunk } from '#contract/projects.ts';
import { isFormattingOnly } from './hunk-text.ts';

const hunk = (deleted: string[], added: string[]): Hunk => ({
  old_start: 1,
  old_lines: deleted.length,
  new_start: 1,
  new_lines: added.length,
  header: '',
  lines: [
    ...deleted.map((text) => ({ kind: 'delete' as const, text })),
    ...added.map((text) => ({ kind: 'add' as const, text })),
  ],
});

test.each([
  ['a comment behind code', ['x = f(a)  # noqa: B1'], ['x = f(a)  # noqa: B1, B2'], true],
  ['a row of comment', ['// was 3'], ['// was 4', '// and 5'], true],
  ['blanks and quotes', ["f('a',b)"], ['f("a", b)'], true],
  ['code', ['x = 3  # three'], ['x = 4  # three'], false],
  ['what the preprocessor reads', ['#define A 1'], ['#define A 2'], false],
  ['an address', ['get("http://a/b")'], ['get("http://a/c")'], false],
])('%s', (_, deleted, added, formatting) => {
  expect(isFormattingOnly([hunk(deleted, added)])).toBe(formatting);
});
