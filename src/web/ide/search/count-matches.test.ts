import { SearchQuery, search, setSearchQuery } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { countMatches } from './count-matches.ts';

function searchFor(text: string, doc: string) {
  const state = EditorState.create({ doc, selection: { anchor: 4, head: 6 }, extensions: [search()] });
  return state.update({ effects: setSearchQuery.of(new SearchQuery({ search: text })) }).state;
}

test('matches are counted, with the one that is selected', () => {
  expect(countMatches(searchFor('it', 'it, it, it'))).toBe('2 of 3');
  expect(countMatches(searchFor('it,', 'it, it, it'))).toBe('? of 2');
  expect(countMatches(searchFor('at', 'it, it, it'))).toBe('no matches');
  expect(countMatches(searchFor('', 'it, it, it'))).toBe('');
});

test('a text with matches is never said to have none, however long the search takes', () => {
  expect(countMatches(searchFor('it', 'it, it, it'), 0)).toBe('? of more than 1');
  expect(countMatches(searchFor('it', 'at, at, it'), 0)).toBe('? of 1');
  expect(countMatches(searchFor('it', 'it '.repeat(1_001)), 60_000)).toBe('? of more than 1000');
});
