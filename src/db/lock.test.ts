import { afterAll, expect, test } from 'vitest';
import { withBranchLock, withProjectLock } from './lock.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
afterAll(database.close);

test('one at a time for a project, side by side for two', async () => {
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const first = withProjectLock(database.pool, 'p1', async () => {
    holding.resolve();
    await release.promise;
    order.push('first');
  });
  await holding.promise;
  const second = withProjectLock(database.pool, 'p1', async () => order.push('second'));
  await withProjectLock(database.pool, 'p2', async () => order.push('other project'));
  release.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['other project', 'first', 'second']);
});

test('a failure inside lets go of the lock and is passed on', async () => {
  const failing = withProjectLock(database.pool, 'p1', () => Promise.reject(new Error('inside')));
  await expect(failing).rejects.toThrow('inside');
  expect(await withProjectLock(database.pool, 'p1', async () => 'free')).toBe('free');
});

test('who waits can be called off', async () => {
  const release = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const first = withProjectLock(database.pool, 'p1', async () => {
    holding.resolve();
    await release.promise;
  });
  await holding.promise;
  const waiting = withProjectLock(database.pool, 'p1', async () => 'ran', AbortSignal.abort());
  await expect(waiting).rejects.toThrow('abort');
  release.resolve();
  await first;
});

test('one at a time for a branch, side by side for two, and free after a failure', async () => {
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const ours = { projectId: 'p1', branch: 'ours' };
  const first = withBranchLock(database.db, ours, async () => {
    holding.resolve();
    await release.promise;
    order.push('first');
    throw new Error('inside');
  });
  await holding.promise;
  const second = withBranchLock(database.db, ours, async () => order.push('second'));
  await withBranchLock(database.db, { ...ours, branch: 'theirs' }, async () => order.push('other branch'));
  release.resolve();
  await expect(first).rejects.toThrow('inside');
  await second;
  expect(order).toEqual(['other branch', 'first', 'second']);
});
