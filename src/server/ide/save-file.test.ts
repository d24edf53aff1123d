import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { listTree } from '#git/tree.ts';
import type { TestUser } from '../testing.ts';
import { createIdeFixture, type IdeFixture, waitUntilReady } from './testing.ts';

let world: IdeFixture;

beforeAll(async () => {
  world = await createIdeFixture({
    'src/deep/count.js': 'export const one = 1;\n',
    'src/other.js': 'export const two = 2;\n',
    'README.md': '# Words\n',
    'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]),
    'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
  });
});
afterAll(() => world.close());

interface Words {
  content?: string;
  base_sha?: string;
  commit_message?: string;
  branch?: string;
  renamed_from?: string;
}

async function save(path: string, words: Words, as: TestUser = world.ada) {
  const params = { id: world.projectId, '*': path };
  return await world.app.call(ideRoutes.save, { params, body: { content: 'new\n', ...words } }, as);
}

async function read(path: string, as: TestUser = world.ada, ref?: string) {
  const params = { id: world.projectId, '*': path };
  return await world.app.call(ideRoutes.file, { params, query: ref ? { ref } : {} }, as);
}

async function remove(path: string, query: { base_sha?: string } = {}, as: TestUser = world.ada) {
  return await world.app.call(ideRoutes.remove, { params: { id: world.projectId, '*': path }, query }, as);
}

async function paths(commit: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of listTree(world.repo, commit)) found.push(entry.path ?? '?');
  return found;
}

async function history(from: string, not: string) {
  const found = [];
  for await (const commit of log(world.repo, { from, not: [not] })) found.push(commit);
  return found;
}

test('a save is a commit by the account on a branch of its own, and is read from then on', async () => {
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
  const shown = await world.app.call(
    projectRoutes.commit,
    { params: { id: world.projectId, sha: body.commit } },
    world.ada,
  );
  expect(shown.body).toMatchObject({ message: 'Update src/deep/count.js', parents: [before.commit] });
  // Everything else lies where it lay, and nobody else sees the change.
  expect(await paths(body.commit)).toEqual(await paths(before.commit));
  expect((await read('src/deep/count.js', world.bea)).body).toMatchObject({
    commit: before.commit,
    branch: null,
  });
});

/** Content as it is saved, and the status. */
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

/** Paths as they stand in the address, after `/files/`. */
const HOSTILE_PATHS = [
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e/%2e%2e/x',
  '/etc/passwd',
  '//etc/passwd',
  'a//b',
  'a/',
  '',
  '.',
  '..',
  '.git/config',
  '.GIT/config',
  'a/.git/hooks/post-commit',
  'git~1/config',
  '.g%E2%80%8Cit/config',
  '.git%20/config',
  '.git./config',
  '.git::$INDEX_ALLOCATION/config',
  '.gitmodules',
  'a/.GITMODULES',
  'gitmod~1',
  'a%5C..%5Cb',
  'a%00b',
  'a%0d%0aX:1',
  '%c0%ae%c0%ae/x',
  '%ff',
  'x'.repeat(5000),
  'y'.repeat(300),
  'link',
  'link/x',
  'sub',
  'sub/x',
  'README.md/x',
  'src',
];

test.each(HOSTILE_PATHS)('nothing is saved at %j', async (path) => {
  const { commit } = (await read('README.md')).body;
  const url = `/api/ide/projects/${world.projectId}/files/${path}`;
  const payload = { content: 'hostile\n' };
  const reply = await world.app.inject({ method: 'POST', url, payload }, world.ada);
  expect([400, 404, 414, 422]).toContain(reply.statusCode);
  expect((await read('README.md')).body.commit).toBe(commit);
});

test.each(['__proto__', 'constructor', '-rf', ':(glob)**', 'naïve/é.txt', 'C:x', '.gitignore', 'git'])(
  'the literal name %j is saved like any other',
  async (path) => {
    expect((await save(path, { content: 'literal\n' })).status).toBe(200);
    expect((await read(path)).body.content).toBe('literal\n');
  },
);

test('of eight writers with one base exactly one wins, and the others are told', async () => {
  const { commit: base } = (await read('src/other.js')).body;
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      save('src/other.js', { content: `writer ${writer}\n`, base_sha: base }),
    ),
  );
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  for (const { status, error } of replies) {
    if (status !== 200) expect(error).toMatchObject({ code: 'conflict', reason: 'file_changed' });
  }
  const now = (await read('src/other.js')).body;
  expect(now.commit).toBe(won[0]?.body.commit);
  expect(await history(now.commit, base)).toHaveLength(1);
});

test('eight writers of different files with one base all win, each with a commit', async () => {
  const { commit: base } = (await read('README.md')).body;
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, writer) => save(`many/${writer}.txt`, { base_sha: base })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(await history((await read('README.md')).body.commit, base)).toHaveLength(8);
});

test('a save that is sent twice makes one commit', async () => {
  const first = await save('twice.txt', { content: 'once\n' });
  const again = await save('twice.txt', { content: 'once\n' });
  expect(again.body.commit).toBe(first.body.commit);
});

test('a file is renamed and deleted, each in one commit', async () => {
  const created = (await save('old/name.js', { content: 'export {};\n' })).body.commit;
  const renamed = await save('new/name.js', { content: 'export {};\n', renamed_from: 'old/name.js' });
  expect((await history(renamed.body.commit, created))[0]).toMatchObject({
    message: 'Rename old/name.js to new/name.js\n',
    changes: [{ status: 'R', path: 'new/name.js', oldPath: 'old/name.js' }],
  });
  const taken = await save('README.md', { renamed_from: 'new/name.js' });
  expect(taken.error).toMatchObject({ code: 'conflict', reason: 'name_taken' });
  const removed = await remove('new/name.js', { base_sha: renamed.body.commit });
  expect((await history(removed.body.commit, renamed.body.commit))[0]).toMatchObject({
    message: 'Delete new/name.js\n',
    changes: [{ status: 'D', path: 'new/name.js' }],
  });
  // A folder with nothing in it is gone.
  expect((await paths(removed.body.commit)).some((path) => path.startsWith('new/'))).toBe(false);
  expect((await remove('new/name.js')).status).toBe(404);
});

test('what was changed meanwhile is neither deleted nor renamed', async () => {
  const { commit } = (await save('shared.txt', { content: 'one\n' })).body;
  await save('shared.txt', { content: 'two\n' });
  expect((await remove('shared.txt', { base_sha: commit })).error?.reason).toBe('file_changed');
  const renamed = await save('moved.txt', { base_sha: commit, renamed_from: 'shared.txt' });
  expect(renamed.error?.reason).toBe('file_changed');
  const unknown = await save('shared.txt', { base_sha: '0'.repeat(40) });
  expect(unknown.error?.reason).toBe('unknown_base');
});

test('bytes that are no text are not overwritten by text, but may be deleted', async () => {
  expect((await save('latin.txt', {})).status).toBe(415);
  expect((await save('logo.png', {})).status).toBe(415);
  expect((await remove('logo.png')).status).toBe(200);
});

test('the author is cleaned of what could end a line or an address', async () => {
  await world.app.deps.db
    .updateTable('users')
    .set({ full_name: ' Béa <x@y>\nOrtiz\u202e. ' })
    .where('id', '=', world.bea.id)
    .execute();
  const { body } = await save('bea.txt', { commit_message: '  Say it\n\nwith reason  ' }, world.bea);
  expect(body.branch).toBe('hindsight/bea');
  const [commit] = await history(body.commit, await world.upstream.head());
  expect(commit).toMatchObject({ author: 'Béa x@y Ortiz', message: 'Say it\n\nwith reason\n' });
});

test('a branch has one owner, and a name that git takes', async () => {
  expect((await save('a.txt', { branch: 'try/this' })).body.branch).toBe('try/this');
  expect((await read('a.txt', world.ada, 'try/this')).body.branch).toBe('try/this');
  expect((await read('a.txt', world.ada)).status).toBe(404);
  expect((await save('a.txt', { branch: 'try/this' }, world.bea)).error?.code).toBe('conflict');
  for (const branch of ['hindsight/bea', 'hindsight', 'a..b', '-x', 'a b', 'x.lock', 'HEAD', 'refs/../x']) {
    const reply = await save('a.txt', { branch });
    expect([400, 409], branch).toContain(reply.status);
  }
});

test('viewers look, strangers find nothing', async () => {
  expect((await save('a.txt', {}, world.vic)).error?.code).toBe('read_only');
  expect((await remove('README.md', {}, world.vic)).error?.code).toBe('read_only');
  expect((await save('a.txt', {}, world.eve)).status).toBe(404);
});

test('a lock that a killed process left does not stop the next save', async () => {
  await writeFile(join(world.repo, 'refs/heads/hindsight/ada.lock'), '');
  expect((await save('after.txt', {})).status).toBe(200);
  await git(world.repo, ['rev-list', '--objects', '--quiet'], {
    name: 'rev-list',
    revisions: ['refs/heads/hindsight/ada'],
  });
});

test('a refresh of the project leaves what was saved', async () => {
  const { commit } = (await save('kept.txt', { content: 'kept\n' })).body;
  await world.upstream.commit({ message: 'Go on', files: { 'upstream.txt': 'new\n' } });
  await world.app.call(projectRoutes.refresh, { params: { id: world.projectId } }, world.ada);
  await waitUntilReady(world.app, world.ada, world.projectId);
  expect((await read('kept.txt')).body).toMatchObject({ content: 'kept\n', commit });
  expect((await read('upstream.txt', world.vic)).status).toBe(200);
});
