import { expect, test } from 'vitest';
import { topicWords } from './topic-words.ts';

test.each([
  ['who can delete a comment?', ['delete', 'comment']],
  ['how do I sort by the size of a font', ['sort', 'size', 'font']],
  ['Comment fonctionne le cache ?', ['fonctionne', 'cache']],
  ['le cache, comment marche-t-il', ['cache', 'marche']],
  ['wo bin ich angemeldet', ['angemeldet']],
  ['which scripts are in the bin folder', ['scripts', 'bin', 'folder']],
])('the words with meaning in %j are %j', (text, expected) => {
  expect(topicWords(text).map(({ word }) => word)).toEqual(expected);
});
