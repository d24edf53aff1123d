import { expect, test } from 'vitest';
import { buildSuggestions, searchUrl } from './build-suggestions.ts';

type Input = Parameters<typeof buildSuggestions>[1];

const project = (id: string, name: string) =>
  ({ id, name, git_url: `https://git.example/${id}` }) as Input['projects'][number];

const found = {
  commit: 'c'.repeat(40),
  passages: Array.from({ length: 6 }, (_, index) => ({
    path: 'src/a b.js',
    start_line: index + 1,
    end_line: index + 3,
    symbol: index === 0 ? 'split' : null,
  })),
  commits: [{ hash: 'ab'.repeat(20), message: 'Split words\n\nBecause.' }],
} as Input['found'];

test('projects by name or URL, then search results, limited in number', () => {
  const projects = [project('one', 'Words'), project('words', 'Other'), project('three', 'Three')];
  const groups = buildSuggestions('WORD', { projects, projectId: 'one', found });
  expect(groups.map(({ kind, suggestions }) => [kind, suggestions.length])).toEqual([
    ['projects', 2],
    ['code', 4],
    ['commits', 1],
  ]);
  expect(groups[1]!.suggestions.slice(0, 2)).toEqual([
    {
      to: `/projects/one/files/src/a%20b.js?ref=${'c'.repeat(40)}#L1-L3`,
      text: 'split',
      detail: 'src/a b.js:1',
    },
    { to: `/projects/one/files/src/a%20b.js?ref=${'c'.repeat(40)}#L2-L4`, text: 'src/a b.js:2' },
  ]);
  expect(groups[2]!.suggestions).toEqual([
    { to: `/projects/one/commits/${'ab'.repeat(20)}`, text: 'Split words', detail: 'abababa' },
  ]);
});

test('no matches yield no suggestions', () => {
  expect(
    buildSuggestions('zzz', { projects: [project('one', 'Words')], projectId: 'one', found: undefined }),
  ).toEqual([]);
});

test('the search URL keeps the query and the project', () => {
  expect(searchUrl('a & b', 'one')).toBe('/search?q=a+%26+b&project_id=one');
  expect(searchUrl('a', null)).toBe('/search?q=a');
});
