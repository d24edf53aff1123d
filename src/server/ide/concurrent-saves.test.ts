import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let world: IdeFixture;
beforeAll(async () => {
  world = await createIdeFixture({ 'README.md': '# Words\n' });
});
afterAll(() => world.close());

const save = async (path: string, content: string, user = world.ada) =>
  await world.app.call(
    ideRoutes.save,
    { params: { id: world.projectId, '*': path }, body: { content } },
    user,
  );

test('a hundred saves to one branch take neither the database nor their turn from others', async () => {
  const saves = Array.from({ length: 100 }, (_, index) => save('busy.txt', `${index}\n`));
  let isOver = false;
  const all = Promise.all(saves).finally(() => {
    isOver = true;
  });
  const others: { status: number; ms: number }[] = [];
  const call = async (work: () => Promise<{ status: number }>) => {
    const began = performance.now();
    const { status } = await work();
    others.push({ status, ms: performance.now() - began });
  };
  while (!isOver) {
    await call(() => world.app.call(accountRoutes.me, {}, world.bea));
    await call(() => world.app.call(projectRoutes.list, {}, world.bea));
    await call(() => save('theirs.txt', `${others.length}\n`, world.bea));
  }
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  // With the saves in the pool of the others a call waited for seconds.
  expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(2_500);

  const replies = await all;
  const statuses = replies.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
  for (const { raw } of replies.filter(({ status }) => status === 503)) {
    expect(Number(raw.headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('locks on branches hold no connection of the pool that requests use', async () => {
  const release = Promise.withResolvers<void>();
  const holding = Array.from({ length: 4 }, (_, index) => {
    const begun = Promise.withResolvers<void>();
    const done = world.app.deps.lockDb.transaction().execute(async () => {
      begun.resolve();
      await release.promise;
    });
    return { begun: begun.promise, done, index };
  });
  await Promise.all(holding.map(({ begun }) => begun));
  const calls = Array.from({ length: 10 }, () => world.app.call(accountRoutes.me, {}, world.bea));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  release.resolve();
  await Promise.all(holding.map(({ done }) => done));
});
