import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { deleteBranch } from '#git/branches.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { INVALID_PATHS } from '#git/testing-hostile.ts';
import { listTree } from '#git/tree.ts';
import { commitToBranch, findCommitTarget } from '../project-data/commit-to-branch.ts';
import type { TestUser } from '../testing.ts';
import { createIdeFixture, type IdeFixture, waitUntilReady } from './testing.ts';

let fixture: IdeFixture;

beforeAll(async () => {
  fixture = await createIdeFixture({
    'src/deep/count.js': 'export const one = 1;\n',
    'src/other.js': 'export const two = 2;\n',
    'README.md': '# Words\n',
    'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
    'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
  });
});
afterAll(() => fixture.close());

interface Words {
  content?: string;
  base_sha?: string;
  commit_message?: string;
  branch?: string;
  renamed_from?: string;
  encoding?: 'windows-1252';
}

async function save(path: string, words: Words, as: TestUser = fixture.ada) {
  const params = { id: fixture.projectId, '*': path };
  return await fixture.app.call(ideRoutes.save, { params, body: { content: 'new\n', ...words } }, as);
}

async function read(path: string, as: TestUser = fixture.ada, ref?: string) {
  const params = { id: fixture.projectId, '*': path };
  return await fixture.app.call(ideRoutes.file, { params, query: ref ? { ref } : {} }, as);
}

async function remove(path: string, query: { base_sha?: string } = {}, as: TestUser = fixture.ada) {
  return await fixture.app.call(
    ideRoutes.remove,
    { params: { id: fixture.projectId, '*': path }, query },
    as,
  );
}

async function paths(commit: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of listTree(fixture.repo, commit)) found.push(entry.path ?? '?');
  return found;
}

async function history(from: string, not: string) {
  const found = [];
  for await (const commit of log(fixture.repo, { from, not: [not] })) found.push(commit);
  return found;
}

test('a save is a commit on the user’s branch, and reads use it afterwards', async () => {
  const before = (await read('src/deep/count.js')).body;
  const { status, body } = await save('src/deep/count.js', {
    content: 'export const one = 11;\n',
    base_sha: before.commit,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ path: 'src/deep/count.js', branch: 'hindsight/ada' });
  const [commit] = await history(body.commit, before.commit);
  expect(commit).toMatchObject({
    parents: [before.commit],
    author: 'ada',
    email: 'ada@example.org',
    message: 'Update src/deep/count.js\n',
    changes: [{ status: 'M', path: 'src/deep/count.js' }],
  });
  expect((await read('src/deep/count.js')).body).toMatchObject({
    content: 'export const one = 11;\n',
    commit: body.commit,
    branch: 'hindsight/ada',
  });
  const readFile = await fixture.app.call(
    projectRoutes.commit,
    { params: { id: fixture.projectId, sha: body.commit }, query: {} },
    fixture.ada,
  );
  expect(readFile.body).toMatchObject({ message: 'Update src/deep/count.js', parents: [before.commit] });
  // Other files are unchanged, and other users do not see the change.
  expect(await paths(body.commit)).toEqual(await paths(before.commit));
  expect((await read('src/deep/count.js', fixture.bea)).body).toMatchObject({
    commit: before.commit,
    branch: null,
  });
});

/** Saved content and the expected status. */
const CONTENTS: [name: string, content: string, status: number][] = [
  ['nothing', '', 200],
  ['mixed line ends', 'a\r\nb\nc\rd', 200],
  ['a byte order mark', '\ufeffa\r\n', 200],
  ['bidirectional controls', '\u202eabc\n', 200],
  ['Unicode tags', 'a\u{e0041}\u{e007f}\n', 200],
  ['conflict markers', '<<<<<<< ours\n=======\n>>>>>>> theirs\n', 200],
  ['200,000 lines', 'a\n'.repeat(200_000), 200],
  ['a line of a megabyte', 'x'.repeat(2 ** 20), 200],
  ['a byte more than a megabyte', 'x'.repeat(2 ** 20 + 1), 413],
  ['a NUL', 'a\0b', 422],
  ['half of a surrogate pair', 'a\ud800b', 422],
];

test.each(CONTENTS)('a file with %s', async (name, content, status) => {
  const path = `contents/${name}.txt`;
  expect((await save(path, { content })).status).toBe(status);
  const reply = await read(path);
  if (status === 200) expect(reply.body.content === content).toBe(true);
  else expect(reply.status).toBe(404);
});

const UNSAVABLE_PATHS = [
  ...INVALID_PATHS,
  'a//b',
  'a/',
  '.git%20/config',
  '.git./config',
  '.git::$INDEX_ALLOCATION/config',
  '.gitmodules',
  'a/.GITMODULES',
  'gitmod~1',
  'link',
  'link/x',
  'sub',
  'sub/x',
  'README.md/x',
  'src',
];

test.each(UNSAVABLE_PATHS)('saving to %j is rejected', async (path) => {
  const { commit } = (await read('README.md')).body;
  const url = `/api/ide/projects/${fixture.projectId}/files/${path}`;
  const payload = { content: 'hostile\n' };
  const reply = await fixture.app.inject({ method: 'POST', url, payload }, fixture.ada);
  expect([400, 404, 414, 422]).toContain(reply.statusCode);
  expect((await read('README.md')).body.commit).toBe(commit);
});

test.each(['__proto__', 'constructor', '-rf', ':(glob)**', 'naïve/é.txt', 'C:x', '.gitignore', 'git'])(
  'the unusual name %j can be saved',
  async (path) => {
    expect((await save(path, { content: 'literal\n' })).status).toBe(200);
    expect((await read(path)).body.content).toBe('literal\n');
  },
);

test('of eight writers with one base exactly one succeeds, the others conflict', async () => {
  const { commit: base } = (await read('src/other.js')).body;
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      save('src/other.js', { content: `writer ${writer}\n`, base_sha: base }),
    ),
  );
  const succeeded = replies.filter(({ status }) => status === 200);
  expect(succeeded).toHaveLength(1);
  const now = (await read('src/other.js')).body;
  const content = now.content ?? '';
  const current = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex');
  for (const { status, error } of replies) {
    if (status === 200) continue;
    const params = { path: 'src/other.js', current };
    expect(error).toMatchObject({ code: 'conflict', reason: 'file_changed', params });
  }
  expect(now.commit).toBe(succeeded[0]?.body.commit);
  expect(await history(now.commit, base)).toHaveLength(1);
});

test('eight writers of different files with one base all succeed, each with a commit', async () => {
  const { commit: base } = (await read('README.md')).body;
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, writer) => save(`many/${writer}.txt`, { base_sha: base })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await history((await read('README.md')).body.commit, base)).toHaveLength(8);
});

test('a repeated save makes one commit', async () => {
  const first = await save('twice.txt', { content: 'once\n' });
  const again = await save('twice.txt', { content: 'once\n' });
  expect(again.body.commit).toBe(first.body.commit);
});

test('a rename and a deletion are one commit each', async () => {
  const created = (await save('old/name.js', { content: 'export {};\n' })).body.commit;
  const renamed = await save('new/name.js', { content: 'export {};\n', renamed_from: 'old/name.js' });
  expect((await history(renamed.body.commit, created))[0]).toMatchObject({
    message: 'Rename old/name.js to new/name.js\n',
    changes: [{ status: 'R', path: 'new/name.js', oldPath: 'old/name.js' }],
  });
  const taken = await save('README.md', { renamed_from: 'new/name.js' });
  expect(taken.error).toMatchObject({ code: 'conflict', reason: 'file_exists' });
  const removed = await remove('new/name.js', { base_sha: renamed.body.commit });
  expect((await history(removed.body.commit, renamed.body.commit))[0]).toMatchObject({
    message: 'Delete new/name.js\n',
    changes: [{ status: 'D', path: 'new/name.js' }],
  });
  // Empty folders are removed.
  expect((await paths(removed.body.commit)).some((path) => path.startsWith('new/'))).toBe(false);
  expect((await remove('new/name.js')).status).toBe(404);
});

test('a file changed meanwhile is neither deleted nor renamed', async () => {
  const { commit } = (await save('shared.txt', { content: 'one\n' })).body;
  await save('shared.txt', { content: 'two\n' });
  expect((await remove('shared.txt', { base_sha: commit })).error?.reason).toBe('file_changed');
  const renamed = await save('moved.txt', { base_sha: commit, renamed_from: 'shared.txt' });
  expect(renamed.error?.reason).toBe('file_changed');
  const unknown = await save('shared.txt', { base_sha: '0'.repeat(40) });
  expect(unknown.error?.reason).toBe('base_commit_not_found');
});

test('binary files cannot be overwritten by text, but can be deleted', async () => {
  expect((await save('latin.txt', {})).status).toBe(415);
  expect((await save('logo.png', {})).status).toBe(415);
  expect((await remove('logo.png')).status).toBe(200);
});

test('a file keeps its encoding and its line endings byte for byte', async () => {
  const { content, commit } = (await read('latin.txt')).body;
  const save1252 = (text: string) =>
    save('latin.txt', { content: text, base_sha: commit, encoding: 'windows-1252', branch: 'bytes' });
  expect((await save1252(`${content}\u65e5`)).error?.message).toMatch(/windows-1252/);
  const saved = (await save1252(`${content}\u20ac\r\n`)).body;
  const { stdout } = await git(fixture.repo, ['cat-file', 'blob', `${saved.commit}:latin.txt`], {
    name: 'cat-file',
  });
  expect([...stdout]).toEqual([0x63, 0x61, 0x66, 0xe9, 10, 0x80, 13, 10]);
});

test('the author is sanitized for the commit header', async () => {
  await fixture.app.deps.db
    .updateTable('users')
    .set({ full_name: ' Béa <x@y>\nOrtiz\u202e. ' })
    .where('id', '=', fixture.bea.id)
    .execute();
  const { body } = await save('bea.txt', { commit_message: '  Say it\n\nwith reason  ' }, fixture.bea);
  expect(body.branch).toBe('hindsight/bea');
  const [commit] = await history(body.commit, await fixture.upstream.head());
  expect(commit).toMatchObject({ author: 'Béa x@y Ortiz', message: 'Say it\n\nwith reason\n' });
});

test('a save on a branch that this disk has lost does not overwrite a save that came meanwhile', async () => {
  const { deps } = fixture.app;
  const branch = 'lost/branch';
  const { body } = await save('lost.txt', { branch });
  await deleteBranch(fixture.repo, { branch, from: body.commit });
  const moveRow = (head: string) =>
    deps.db.updateTable('branches').set({ head }).where('name', '=', branch).execute();
  await moveRow('e'.repeat(40));
  const target = await findCommitTarget(
    deps,
    { id: fixture.projectId },
    { userId: fixture.ada.id, indexed: await fixture.upstream.head(), branchName: branch },
  );
  const commit = commitToBranch(target, async (parent) => {
    await moveRow('f'.repeat(40));
    return { bytes: 0, write: async () => parent };
  });
  await expect(commit).rejects.toMatchObject({ messageKey: 'branch_not_written' });
  const row = deps.db.selectFrom('branches').select('head').where('name', '=', branch);
  expect(await row.executeTakeFirst()).toEqual({ head: 'f'.repeat(40) });
  expect((await save('lost.txt', { branch })).status).toBe(200);
});

test('a branch has one owner and a valid name', async () => {
  expect((await save('a.txt', { branch: 'try/this' })).body.branch).toBe('try/this');
  expect((await read('a.txt', fixture.ada, 'try/this')).body.branch).toBe('try/this');
  expect((await read('a.txt', fixture.ada)).status).toBe(404);
  expect((await save('a.txt', { branch: 'try/this' }, fixture.bea)).error?.code).toBe('conflict');
  for (const branch of ['hindsight/bea', 'hindsight', 'a..b', '-x', 'a b', 'x.lock', 'HEAD', 'refs/../x']) {
    const reply = await save('a.txt', { branch });
    expect([400, 409], branch).toContain(reply.status);
  }
});

test('viewers read, non-members get not found', async () => {
  expect((await save('a.txt', {}, fixture.vic)).error?.code).toBe('read_only');
  expect((await remove('README.md', {}, fixture.vic)).error?.code).toBe('read_only');
  expect((await save('a.txt', {}, fixture.eve)).status).toBe(404);
});

test('a stale lock of a killed process does not block the next save', async () => {
  await writeFile(join(fixture.repo, 'refs/heads/hindsight/ada.lock'), '');
  expect((await save('after.txt', {})).status).toBe(200);
  await git(fixture.repo, ['rev-list', '--objects', '--quiet'], {
    name: 'rev-list',
    revisions: ['refs/heads/hindsight/ada'],
  });
});

test('a refresh keeps saved changes', async () => {
  const { commit } = (await save('kept.txt', { content: 'kept\n' })).body;
  await fixture.upstream.commit({ message: 'Go on', files: { 'upstream.txt': 'new\n' } });
  await fixture.app.call(projectRoutes.refresh, { params: { id: fixture.projectId } }, fixture.ada);
  await waitUntilReady(fixture.app, fixture.ada, fixture.projectId);
  expect((await read('kept.txt')).body).toMatchObject({ content: 'kept\n', commit });
  expect((await read('upstream.txt', fixture.vic)).status).toBe(200);
});
