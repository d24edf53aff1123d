import { expect, test } from 'vitest';
import { parsePatch } from '../parts/patch.ts';
import { applyHunks } from './apply-hunks.ts';

const PATCH = `--- a/x.js
+++ b/x.js
@@ -2,3 +2,4 @@
 two
+two and a half
 three
 four
@@ -7,2 +8,1 @@
 seven
-eight
`;
const [{ hunks } = { hunks: [] }] = parsePatch(PATCH);
const text = (...more: string[]) =>
  [...more, 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', ''].join('\n');

test('a patch is applied, also where its lines have moved', () => {
  expect(applyHunks(text(), hunks)).toBe('one\ntwo\ntwo and a half\nthree\nfour\nfive\nsix\nseven\n');
  expect(applyHunks(text('zero', 'zero'), hunks)).toContain('zero\none\ntwo\ntwo and a half\nthree');
});

test('of equal matches the nearest to the stated line is used', () => {
  const doubled = `${text()}${text()}`;
  const late = hunks.map((hunk) => ({ ...hunk, old_start: hunk.old_start + 8 }));
  expect(applyHunks(doubled, late)?.indexOf('two and a half')).toBeGreaterThan(text().length);
});

test('a patch that does not match is not applied', () => {
  expect(applyHunks(text().replace('eight', 'acht'), hunks)).toBeNull();
});

test('a new file consists of the added lines', () => {
  const patch = '--- /dev/null\n+++ b/y.js\n@@ -0,0 +1,1 @@\n+one\n';
  expect(applyHunks('', parsePatch(patch)[0]!.hunks)).toBe('one\n');
});
