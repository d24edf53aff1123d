import { expect, test } from 'vitest';
import { openRequestDraft } from './request-draft.ts';

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}

const request = (error_message: string) => ({ error_message, project_id: 'p' });

test('a draft comes back to its account until it is sent', () => {
  const storage = memoryStorage();
  const drafts = openRequestDraft('ada', storage);
  drafts.save({ entry: 'a', request: request('TypeError') });
  expect(drafts.read('b', undefined)).toEqual(request('TypeError'));
  expect(openRequestDraft('bob', storage).read('a', undefined)).toBeUndefined();
  drafts.remove();
  expect(drafts.read('a', undefined)).toBeUndefined();
});

test('a request that the page was opened with wins, except over what was typed there', () => {
  const drafts = openRequestDraft('ada', memoryStorage());
  drafts.save({ entry: 'a', request: request('edited') });
  expect(drafts.read('a', request('given'))).toEqual(request('edited'));
  expect(drafts.read('b', request('given'))).toEqual(request('given'));
});

test('a broken draft is ignored', () => {
  const storage = memoryStorage();
  storage.setItem('debug-draft:ada', '{"request":1');
  expect(openRequestDraft('ada', storage).read('a', undefined)).toBeUndefined();
});
