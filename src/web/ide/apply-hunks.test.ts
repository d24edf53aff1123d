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

test('a patch is put into the text, also where its lines have moved', () => {
  expect(applyHunks(text(), hunks)).toBe('one\ntwo\ntwo and a half\nthree\nfour\nfive\nsix\nseven\n');
  expect(applyHunks(text('zero', 'zero'), hunks)).toContain('zero\none\ntwo\ntwo and a half\nthree');
});

test('of equal lines those nearest to the named place are taken', () => {
  const doubled = `${text()}${text()}`;
  const late = hunks.map((hunk) => ({ ...hunk, old_start: hunk.old_start + 8 }));
  expect(applyHunks(doubled, late)?.indexOf('two and a half')).toBeGreaterThan(text().length);
});

test('a text that has other lines by now is left alone', () => {
  expect(applyHunks(text().replace('eight', 'acht'), hunks)).toBeNull();
});

test('a new file is made of what is added', () => {
  const patch = '--- /dev/null\n+++ b/y.js\n@@ -0,0 +1,1 @@\n+one\n';
  expect(applyHunks('', parsePatch(patch)[0]!.hunks)).toBe('one\n');
});
