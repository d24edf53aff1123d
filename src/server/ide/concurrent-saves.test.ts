import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let fixture: IdeFixture;
beforeAll(async () => {
  fixture = await createIdeFixture({ 'README.md': '# Words\n' });
});
afterAll(() => fixture.close());

const save = async (path: string, content: string, user = fixture.ada) =>
  await fixture.app.call(
    ideRoutes.save,
    { params: { id: fixture.projectId, '*': path }, body: { content } },
    user,
  );

test('a hundred saves to one branch starve neither the database nor other users', async () => {
  const began = performance.now();
  const saves = Array.from({ length: 100 }, (_, index) => save('busy.txt', `${index}\n`));
  let isOver = false;
  const all = Promise.all(saves).finally(() => {
    isOver = true;
  });
  const others: { status: number; ms: number }[] = [];
  const call = async (work: () => Promise<{ status: number }>) => {
    const started = performance.now();
    const { status } = await work();
    others.push({ status, ms: performance.now() - started });
  };
  while (!isOver) {
    await call(() => fixture.app.call(accountRoutes.me, {}, fixture.bea));
    await call(() => fixture.app.call(projectRoutes.list, {}, fixture.bea));
    await call(() => save('theirs.txt', `${others.length}\n`, fixture.bea));
  }
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  // With saves in the request pool, a call waited for most of them.
  const limit = Math.max(2_500, (performance.now() - began) / 2);
  expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(limit);

  const replies = await all;
  const statuses = replies.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  // As many as wait for a user, and on a slow machine those that have their turn in time.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
  for (const { raw } of replies.filter(({ status }) => status === 503)) {
    expect(Number(raw.headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('branch locks use no connection of the request pool', async () => {
  const release = Promise.withResolvers<void>();
  const holders = Array.from({ length: 4 }, (_, index) => {
    const started = Promise.withResolvers<void>();
    const done = fixture.app.deps.lockDb.transaction().execute(async () => {
      started.resolve();
      await release.promise;
    });
    return { started: started.promise, done, index };
  });
  await Promise.all(holders.map(({ started }) => started));
  const calls = Array.from({ length: 10 }, () => fixture.app.call(accountRoutes.me, {}, fixture.bea));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  release.resolve();
  await Promise.all(holders.map(({ done }) => done));
});
