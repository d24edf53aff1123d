import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { fetchUpstream } from './fetch.ts';
import { importRepository } from './import.ts';
import { resolveCommit } from './refs.ts';
import { git } from './run.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { spawnCount } from './testing-spawn-count.ts';

const limits = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };

let repo: TestRepository;
let folder: string;
let egress: Egress;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-local-'));
  repo = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.ts': 'one\n' } });
  });
  egress = await startEgress({ allowedPrivateHosts: [], localRoots: [repo.folder] });
});
afterAll(async () => {
  await egress.close();
  await repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

const addressOf = (path: string) => pathToFileURL(path).href;
let imports = 0;
const bring = (url: string, by = egress) =>
  importRepository({ url, egress: by, limits, into: join(folder, `${++imports}.git`) });

test('a repository in a folder that the operator has opened is connected and followed', async () => {
  const into = join(folder, 'followed.git');
  const url = addressOf(repo.path);
  const found = await importRepository({ url, egress, limits, into });
  expect(found).toEqual({ branch: 'main', head: await repo.head() });
  const head = await repo.commit({ files: { 'a.ts': 'two\n' } });
  expect((await fetchUpstream({ repo: into, url, egress, limits })).head).toBe(head);
  expect(await resolveCommit(into, 'refs/remotes/origin/main')).toBe(head);
});

test('so is one with files beside it, and a name that an address must write otherwise', async () => {
  const work = join(repo.folder, 'with files é #1');
  await git(null, ['clone', '-q', '--template=', '--', repo.path, work], {
    name: 'clone',
    config: { 'protocol.file.allow': 'always' },
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  expect((await bring(addressOf(work))).head).toBe(await repo.head());
});

test('what lies elsewhere is not looked at, by links neither', async () => {
  const secret = mkdtempSync(join(folder, 'secret-'));
  symlinkSync(secret, join(repo.folder, 'link'));
  const before = spawnCount();
  for (const path of [
    secret,
    join(secret, 'nowhere'),
    join(repo.folder, 'link'),
    `${repo.folder}-beside`,
    '/',
  ]) {
    await expect(bring(addressOf(path))).rejects.toMatchObject({
      code: 'bad_request',
      reason: 'folder_not_allowed',
    });
  }
  for (const way of [`file://${repo.folder}/../x`, `file://${repo.folder}/%2e%2e/x`]) {
    await expect(bring(way)).rejects.toMatchObject({ reason: 'folder_not_allowed' });
  }
  expect(spawnCount()).toBe(before);
});

test.each([
  ['file://host/srv/a', 'scheme_not_allowed'],
  ['file:///srv/a%2fb', 'scheme_not_allowed'],
  ['file:///srv/a?b', 'scheme_not_allowed'],
  ['file:////srv/a', 'scheme_not_allowed'],
  ['file:srv/a', 'scheme_not_allowed'],
])('%s is no such address', async (url, reason) => {
  await expect(bring(url)).rejects.toMatchObject({ code: 'bad_request', reason });
});

test('where no folder was opened, none may be named', async () => {
  const closed = await startEgress({ allowedPrivateHosts: [] });
  await expect(bring(addressOf(repo.path), closed)).rejects.toMatchObject({ reason: 'scheme_not_allowed' });
  await closed.close();
});

test('a folder without a repository and one that git refuses have different errors', async () => {
  mkdirSync(join(repo.folder, 'empty'));
  writeFileSync(join(repo.folder, 'file'), '');
  for (const name of ['empty', 'file', 'nowhere']) {
    await expect(bring(addressOf(join(repo.folder, name)))).rejects.toMatchObject({
      code: 'bad_request',
      reason: 'not_found_or_private',
    });
  }
});

test.runIf(process.getuid?.() === 0)('a repository of another user is refused in words', async () => {
  const other = join(repo.folder, 'other.git');
  await git(null, ['init', '--bare', '-q', '--template=', '--', other], { name: 'init' });
  chownSync(other, 12_345, 12_345);
  await expect(bring(addressOf(other))).rejects.toMatchObject({
    code: 'bad_request',
    reason: 'dubious_ownership',
  });
});
