import { expect, test } from 'vitest';
import { applyCompletion, completeLocally, findTypedPart } from './completion.ts';
import { readSearchState, searchStateUrl, withProjectNames } from './search-state.ts';

const read = (address: string) => readSearchState(new URLSearchParams(address));

test('the address keeps query, match, page and selection, and earlier addresses still open', () => {
  const state = { q: 'lang:go retry', match: 'exact', page: 3, at: 4, ownBranches: false } as const;
  expect(read(searchStateUrl(state).split('?')[1]!)).toEqual(state);
  expect(read('q=a&page=0&at=x&match=?')).toEqual({
    q: 'a',
    match: 'words',
    page: 1,
    at: null,
    ownBranches: null,
  });
  expect(read('q=a+b&project_id=p1').q).toBe('repo:p1 a b');
  expect(read('q=a&view=history&side=removed').q).toBe('side:removed type:changes a');
  expect(read('q=a&view=lines&lines=regex').match).toBe('regex');
  const projects = [
    { id: 'p1', name: 'My shop' },
    { id: 'p2', name: 'net' },
    { id: 'p3', name: 'Net' },
  ];
  expect(withProjectNames('repo:p1 repo:p2 x', projects)).toBe('repo:"My shop" repo:p2 x');
});

test('filters and values are completed at the cursor', () => {
  const offers = (query: string, cursor = query.length) => {
    const part = findTypedPart(query, cursor);
    const data = {
      projects: [{ name: 'My shop', git_url: 'https://x/shop' }],
      describe: (key: string) => key,
    };
    return part && completeLocally(part, data).map((offer) => applyCompletion(query, part, offer).query);
  };
  expect(offers('re')).toEqual(['repo:', 'rev:']);
  expect(offers('x repo:sh')).toEqual(['x repo:"My shop" ']);
  expect(offers('type:c x', 6)).toEqual(
    ['type:code x', 'type:commits x', 'type:changes x', 'type:chats x', 'type:code x'].slice(0, 4),
  );
  expect(offers('-repo:"My s')).toEqual(['-repo:"My shop" ']);
  expect(offers('some (text')).toBeNull();
});
