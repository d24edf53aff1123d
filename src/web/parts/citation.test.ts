import { expect, test } from 'vitest';
import { citationLabel, fileUrl, parseCitedLocation, parseLineFragment } from './citation.ts';

const HASH = '5f2a1c9e0b7d4a6c8e1f3b5d7a9c0e2f4b6d8a1c';

test('lines of a file at a commit parse as a citation', () => {
  expect(parseCitedLocation(`src/my file.py:575-580 @ ${HASH}`)).toEqual({
    kind: 'file',
    path: 'src/my file.py',
    from: 575,
    to: 580,
    commit: HASH,
  });
  expect(parseCitedLocation('index.js:3')).toEqual({
    kind: 'file',
    path: 'index.js',
    from: 3,
    to: 3,
    commit: null,
  });
});

test('a hash parses as a commit; words, numbers in code and URLs do not', () => {
  expect(parseCitedLocation('3333333')).toEqual({ kind: 'commit', hash: '3333333' });
  for (const text of [
    'deadbee',
    'to_native_string(method)',
    'http://a.test:80/x',
    'std::string',
    'x: 3',
    ':3',
  ]) {
    expect(parseCitedLocation(text), text).toBeNull();
  }
});

test('a label is path and lines, or a seven-digit hash', () => {
  expect(citationLabel({ kind: 'file', path: 'a/b.ts', from: 3, to: 3, commit: null })).toBe('a/b.ts:3');
  expect(citationLabel({ kind: 'file', path: 'a/b.ts', from: 3, to: 9, commit: HASH })).toBe('a/b.ts:3-9');
  expect(citationLabel({ kind: 'commit', hash: HASH })).toBe('5f2a1c9');
});

test('a file URL escapes reserved characters', () => {
  expect(fileUrl('p1', 'docs/what?#100%.md', { commit: HASH, from: 3, to: 5 })).toBe(
    `/projects/p1/files/docs/what%3F%23100%25.md?ref=${HASH}#L3-L5`,
  );
  expect(fileUrl('p1', 'a.ts')).toBe('/projects/p1/files/a.ts');
});

test('a fragment selects lines in either order', () => {
  expect(parseLineFragment('#L20-L10')).toEqual({ from: 10, to: 20 });
  expect(parseLineFragment('#L7')).toEqual({ from: 7, to: 7 });
  expect(parseLineFragment('#top')).toBeNull();
});
