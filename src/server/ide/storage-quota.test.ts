import { randomBytes } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { git } from '#git/run.ts';
import { storeBlob } from '#git/testing.ts';
import type { TestUser } from '../testing.ts';
import { createIdeFixture, type IdeFixture, waitUntilReady } from './testing.ts';

let fixture: IdeFixture;
beforeAll(async () => {
  fixture = await createIdeFixture({ 'README.md': '# Words\n', 'src/a.js': 'a\n' });
});
afterAll(() => fixture.close());
beforeEach(() => {
  Object.assign(fixture.app.deps.config, { userQuotaMb: 0 });
  fixture.app.deps.config.git.maxRepoMb = 100;
});

const save = async (
  path: string,
  body: { content: string; base_sha?: string; branch?: string },
  as = fixture.ada,
) => await fixture.app.call(ideRoutes.save, { params: { id: fixture.projectId, '*': path }, body }, as);
const noise = (bytes: number) => randomBytes(bytes).toString('base64').slice(0, bytes);
const objects = async () => (await readdir(join(fixture.repo, 'objects'), { recursive: true })).length;
const savedBytes = async (user: TestUser) => {
  const rows = await fixture.app.deps.db
    .selectFrom('branches')
    .select('saved_bytes')
    .where('user_id', '=', user.id)
    .execute();
  return rows.reduce((sum, row) => sum + Number(row.saved_bytes), 0);
};

test('a rejected save leaves no object and does not count', async () => {
  const before = await fixture.upstream.head();
  await save('src/a.js', { content: 'changed\n' });
  const [count, bytes] = [await objects(), await savedBytes(fixture.ada)];
  const content = noise(500_000);
  const refused: [string, { content: string; base_sha?: string; branch?: string }][] = [
    ['src/a.js', { content, base_sha: before }],
    ['src/a.js', { content, base_sha: '1'.repeat(40) }],
    ['README.md/deeper', { content }],
    ['link', { content }],
    ['src/a.js', { content, branch: 'a..b' }],
    ['.git/config', { content }],
    ['x'.repeat(2000), { content }],
  ];
  for (const [path, body] of refused) {
    const { status } = await save(path, body);
    expect([400, 404, 409, 422], path.slice(0, 20)).toContain(status);
  }
  expect(await objects()).toBe(count);
  expect(await savedBytes(fixture.ada)).toBe(bytes);
});

test('the account quota covers all branches, with an error message', async () => {
  Object.assign(fixture.app.deps.config, { userQuotaMb: 1 });
  expect((await save('one.txt', { content: noise(400_000) }, fixture.bea)).status).toBe(200);
  expect((await save('two.txt', { content: noise(400_000), branch: 'second' }, fixture.bea)).status).toBe(
    200,
  );
  const spent = await savedBytes(fixture.bea);
  expect(spent).toBeGreaterThan(800_000);
  expect(spent).toBeLessThan(900_000);
  const count = await objects();
  const third = await save('three.txt', { content: noise(400_000), branch: 'third' }, fixture.bea);
  expect(third).toMatchObject({ status: 413, error: { code: 'too_large', reason: 'user_quota_exceeded' } });
  expect(third.error?.message).toContain('USER_QUOTA_MB');
  expect(await objects()).toBe(count);
  expect(await savedBytes(fixture.bea)).toBe(spent);
  // Other accounts have their own quota.
  expect((await save('theirs.txt', { content: 'small\n' })).status).toBe(200);
});

test('concurrent saves do not exceed the quota', async () => {
  Object.assign(fixture.app.deps.config, { userQuotaMb: 2 });
  const saves = Array.from({ length: 8 }, (_, index) =>
    save('parallel.txt', { content: noise(400_000), branch: `parallel-${index}` }, fixture.bea),
  );
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 413]));
  expect(await savedBytes(fixture.bea)).toBeLessThanOrEqual(2 * 2 ** 20);
});

test('saved bytes count toward the repository size', async () => {
  fixture.app.deps.config.git.maxRepoMb = 1;
  for (let index = 0; ; index++) {
    const { status, error } = await save(`big-${index}.txt`, { content: noise(500_000) });
    if (status === 200) continue;
    expect({ status, error }).toMatchObject({ status: 413, error: { reason: 'repository_quota_exceeded' } });
    expect(index).toBeLessThan(3);
    break;
  }
});

test('a refresh prunes loose objects unreachable for a day only', async () => {
  const saved = (await save('kept.txt', { content: 'kept\n' })).body.commit;
  const [old, young] = [
    await storeBlob(fixture.repo, Buffer.from('left behind long ago\n')),
    await storeBlob(fixture.repo, Buffer.from('of a save that is under way\n')),
  ];
  const longAgo = new Date(Date.now() - 48 * 3600_000);
  for (const name of await readdir(join(fixture.repo, 'objects'), { recursive: true })) {
    if (name.replace('/', '') === young) continue;
    await utimes(join(fixture.repo, 'objects', name), longAgo, longAgo);
  }
  await fixture.upstream.commit({ message: 'Go on', files: { 'upstream.txt': 'new\n' } });
  await fixture.app.call(projectRoutes.refresh, { params: { id: fixture.projectId } }, fixture.ada);
  await waitUntilReady(fixture.app, fixture.ada, fixture.projectId);
  const exists = async (oid: string) =>
    (await git(fixture.repo, ['cat-file', '-e', oid], { name: 'cat-file', ok: [0, 1, 128] })).exitCode === 0;
  expect({ old: await exists(old), young: await exists(young), saved: await exists(saved) }).toEqual({
    old: false,
    young: true,
    saved: true,
  });
  await git(fixture.repo, ['rev-list', '--objects', '--quiet', '--all'], { name: 'rev-list' });
});
