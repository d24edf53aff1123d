import { expect, test } from 'vitest';
import { openDrafts } from './drafts.ts';

function storage(limit = 1_000): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

test('a draft is restored for its user, project and path until it is removed', () => {
  const place = storage();
  const drafts = openDrafts(place, { userId: 'u', projectId: 'p' });
  drafts.save('a.js', { content: 'typed', base: 'c1' });
  expect(drafts.read('a.js')).toEqual({ content: 'typed', base: 'c1' });
  openDrafts(place, { userId: 'u', projectId: 'other' }).save('c.js', { content: 'x', base: null });
  expect(drafts.list()).toEqual(['a.js']);
  expect(drafts.read('b.js')).toBeNull();
  expect(openDrafts(place, { userId: 'other', projectId: 'p' }).read('a.js')).toBeNull();
  drafts.remove('a.js');
  expect(drafts.read('a.js')).toBeNull();
});

test('a full storage and an invalid entry yield no draft', () => {
  const place = storage(50);
  const drafts = openDrafts(place, { userId: 'u', projectId: 'p' });
  drafts.save('a.js', { content: 'x'.repeat(100), base: null });
  expect(drafts.read('a.js')).toBeNull();
  place.setItem('draft:u:p:a.js', '{broken');
  expect(drafts.read('a.js')).toBeNull();
});
