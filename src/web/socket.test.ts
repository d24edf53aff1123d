import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Project } from '#contract/projects.ts';
import { errorKeys, projectKeys } from './query-keys.ts';
import { patchCache, retryDelay } from './socket.ts';

test('a closed socket reconnects after 5 s, then with back-off up to 75 s', () => {
  expect(retryDelay(1, 0.9)).toBe(5_000);
  expect([2, 3, 4, 5, 60].map((failures) => retryDelay(failures, 0.5))).toEqual([
    10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
  expect([retryDelay(9, 0), retryDelay(9, 1)]).toEqual([45_000, 75_000]);
});

const project = (id: string, status: Project['status']) => ({ id, status }) as Project;

test('a project update reaches its page and its row in the list', () => {
  const client = new QueryClient();
  const list = projectKeys.list;
  const one = projectKeys.detail('b');
  client.setQueryData(list, [project('a', 'ready'), project('b', 'queued')]);

  patchCache(client, { type: 'project_updated', project: project('b', 'reading') });
  expect(client.getQueryData(list)).toEqual([project('a', 'ready'), project('b', 'reading')]);
  expect(client.getQueryData(one)).toEqual(project('b', 'reading'));

  patchCache(client, { type: 'project_deleted', project_id: 'b' });
  expect(client.getQueryData(list)).toEqual([project('a', 'ready')]);
  expect(client.getQueryData(one)).toBeUndefined();
});

test('changed errors are loaded again', () => {
  const client = new QueryClient();
  const key = errorKeys.inbox({ state: 'unsolved' });
  client.setQueryData(key, { pages: [] });
  patchCache(client, { type: 'errors_changed', project_id: 'a' });
  expect(client.getQueryState(key)?.isInvalidated).toBe(true);
});

test('a project update creates no list that was never loaded', () => {
  const client = new QueryClient();
  patchCache(client, { type: 'project_updated', project: project('a', 'ready') });
  expect(client.getQueryData(projectKeys.list)).toBeUndefined();
});
