import { expect, test } from 'vitest';
import { isFix, isNonSource, revertedCommits } from './fixes.ts';

test.each([
  ['Fix method conversion for bytes', ['src/sessions.py']],
  ['reply: do not send twice\n\nCloses #123', ['lib/reply.js']],
  ['fix(router): keep the query', ['lib/route.ts']],
  ['bugfix for empty hosts', ['models.py', 'tests/test_models.py']],
  ['Regression in redirect handling', ['a.py']],
  ['Prevent crash on empty body', ['a.c']],
])('%j is a fix', (message, paths) => {
  expect(isFix(message, paths)).toBe(true);
});

test.each([
  ['Fix typo in README', ['README.md']],
  ['docs: fix the link', ['src/a.ts']],
  ['Fix flaky tests', ['lib/a.js']],
  ['Add prefix option', ['lib/a.js']],
  ['Fix the parser', ['test/parser.test.js']],
  ['Merge pull request #9 from x/fix-y', ['a.py']],
  ['Revert "Fix the parser"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.', ['a.py']],
  ['Refactor the debug logger', ['a.py']],
])('%j is no fix', (message, paths) => {
  expect(isFix(message, paths)).toBe(false);
});

test('extracts the hashes of reverted commits', () => {
  expect(revertedCommits('Revert "x"\n\nThis reverts commit 0123456789abcdef.')).toEqual([
    '0123456789abcdef',
  ]);
  expect(revertedCommits('We revert to the old way')).toEqual([]);
});

test('tests and documentation are non-source', () => {
  expect(['tests/a.py', 'docs/x.rst', 'src/a.test.ts', 'test_x.py'].every(isNonSource)).toBe(true);
  expect(['src/testing-library.ts', 'lib/latest.js', 'contest/a.c'].some(isNonSource)).toBe(false);
});
