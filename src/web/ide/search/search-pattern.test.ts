import { expect, test } from 'vitest';
import { EMPTY_SEARCH } from './search-form.ts';
import { compileSearch, markMatches, replaceMatches } from './search-pattern.ts';

const form = (change: Partial<typeof EMPTY_SEARCH>) => ({ ...EMPTY_SEARCH, ...change });

test('a text is found as it is, and a word only whole', () => {
  expect(replaceMatches('a.b axb A.B', form({ q: 'a.b' }), '$1')).toEqual({ text: '$1 axb $1', count: 2 });
  expect(replaceMatches('a.b A.B', form({ q: 'a.b', matchCase: true }), '-').count).toBe(1);
  expect(replaceMatches('cat concat', form({ q: 'cat', wholeWord: true }), 'dog').text).toBe('dog concat');
});

test('groups and line feeds of a regular expression go into the replacement', () => {
  const regex = form({ q: '(\\w+)=(\\d)', isRegex: true });
  expect(replaceMatches('one=1 two=2', regex, '$2:$1\\n')).toEqual({ text: '1:one\n 2:two\n', count: 2 });
});

test('an invalid expression matches nothing', () => {
  expect(compileSearch(form({ q: '(', isRegex: true }))).toBeNull();
  expect(replaceMatches('(', form({ q: '(', isRegex: true }), '').count).toBe(0);
});

test('a line is shown from near its first match', () => {
  const runs = markMatches(`  ${'x'.repeat(100)}needle and needle`, form({ q: 'needle' }));
  expect(runs.map(({ text, isMatch }) => [text, isMatch])).toEqual([
    ['x'.repeat(40), false],
    ['needle', true],
    [' and ', false],
    ['needle', true],
  ]);
});
