import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { newId } from '#db/ids.ts';
import { projectStorage } from '../project-data/storage.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { safeFileName } from './zip.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

async function download(user: TestUser): Promise<Record<string, string>> {
  const link = await server.call(accountRoutes.requestExport, { body: {} }, user);
  const reply = await server.inject({ url: link.body.url });
  expect(reply.headers['content-type']).toBe('application/zip');
  expect(reply.headers['content-disposition']).toMatch(
    /^attachment; filename="hindsight-\d{4}-\d\d-\d\d\.zip"$/,
  );
  const files = unzipSync(new Uint8Array(reply.rawPayload));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      name.endsWith('.bundle') ? Buffer.from(bytes).toString('base64') : strFromU8(bytes),
    ]),
  );
}

test('the export contains every list, limited to the user’s own rows', async () => {
  const [user, other] = [await server.signUp('ada'), await server.signUp('eve')];
  const notificationRow = (userId: string, text: string) => ({
    user_id: userId,
    id: newId(),
    event_key: text,
    type: 'info' as const,
    title: JSON.stringify({ code: 'x', params: {}, text }),
    message: JSON.stringify({ code: 'x', params: {}, text }),
    action_url: null,
  });
  const notifications = Array.from({ length: 450 }, (_, index) => notificationRow(user.id, `mine ${index}`));
  await server.deps.db
    .insertInto('notifications')
    .values([...notifications, notificationRow(other.id, 'theirs')])
    .execute();

  const files = await download(user);
  expect(Object.keys(files)).toContain('README.txt');
  const lists = Object.entries(files).filter(([name]) => name.endsWith('.json'));
  expect(lists.length).toBeGreaterThan(10);
  const parsed = Object.fromEntries(lists.map(([name, text]) => [name, JSON.parse(text)]));
  expect(parsed['profile.json']).toEqual([expect.objectContaining({ username: 'ada', email: user.email })]);
  expect(parsed['notifications.json'].map((row: { title: string }) => row.title)).toEqual(
    notifications.map((_, index) => `mine ${index}`),
  );
  const everything = JSON.stringify(parsed);
  expect(everything).not.toContain('eve@example.org');
  expect(everything).not.toContain('theirs');
  expect(everything).not.toContain('argon2id');
});

test('saved branches are exported as git bundles', async () => {
  const user = await server.signUp('grace');
  const id = 'with-a-branch';
  await insertTestProject(server.deps, [[user, 'owner']], { id, name: '../../etc: x' });
  const worktree = mkdtempSync(join(tmpdir(), 'hindsight-export-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', worktree, '-c', 'user.name=G', '-c', 'user.email=g@x', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  writeFileSync(join(worktree, 'a.txt'), 'one');
  git('add', '.');
  git('commit', '-qm', 'first');
  const base = git('rev-parse', 'HEAD');
  git('checkout', '-qb', 'hindsight/grace');
  writeFileSync(join(worktree, 'a.txt'), 'two');
  git('commit', '-qam', 'saved in the editor');
  const head = git('rev-parse', 'HEAD');
  const { repo, root } = projectStorage(server.deps.config.dataDir, id);
  mkdirSync(root, { recursive: true });
  execFileSync('git', ['clone', '-q', '--bare', worktree, repo]);
  await server.deps.db
    .insertInto('branches')
    .values({ project_id: id, name: 'hindsight/grace', user_id: user.id, base, head })
    .execute();

  const files = await download(user);
  const name = Object.keys(files).find((file) => file.endsWith('.bundle'))!;
  expect(name).toBe('branches/etc- x-branch/hindsight-grace.bundle');
  const bundle = join(worktree, 'back.bundle');
  writeFileSync(bundle, Buffer.from(files[name]!, 'base64'));
  expect(git('bundle', 'list-heads', bundle)).toBe(`${head} refs/heads/hindsight/grace`);
  rmSync(worktree, { recursive: true });
});

test('the download link is single-use, expires after five minutes, and an old session must reauthenticate', async () => {
  const user = await server.signUp();
  const requestExport = async () =>
    (await server.call(accountRoutes.requestExport, { body: {} }, user)).body.url;
  const status = async (url: string) => (await server.inject({ url })).statusCode;
  const address = await requestExport();
  expect([await status(address), await status(address)]).toEqual([200, 404]);
  const expiredUrl = await requestExport();
  server.advance(5 * 60 + 1);
  expect(await status(expiredUrl)).toBe(404);
  server.advance(6 * 60);
  const withoutPassword = await server.call(accountRoutes.requestExport, { body: {} }, user);
  expect([withoutPassword.status, withoutPassword.error?.reason]).toEqual([422, 'current_password']);
});

test.each([
  ['../../etc/passwd', 'etc-passwd'],
  ['a/b\\c:d\0e', 'a-b-c-d-e'],
  ['...', 'unnamed'],
  ['', 'unnamed'],
  ['Überblick 2', 'Überblick 2'],
])('safeFileName sanitizes %j to %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});
