import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { log } from '#git/log.ts';
import { listTree } from '#git/tree.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let fixture: IdeFixture;

beforeAll(async () => {
  fixture = await createIdeFixture({
    'src/a.js': 'a\n',
    'src/deep/b.js': 'b\n',
    'src/deep/logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
    'docs/guide.md': '# Guide\n',
    'README.md': '# Words\n',
  });
});
afterAll(() => fixture.close());

type MoveBody = Parameters<typeof fixture.app.call<typeof ideRoutes.move>>[1]['body'];
const move = (body: MoveBody, as = fixture.ada) =>
  fixture.app.call(ideRoutes.move, { params: { id: fixture.projectId }, body }, as);

const remove = (path: string, query: { recursive?: 'true'; branch?: string; base_sha?: string }) =>
  fixture.app.call(
    ideRoutes.remove,
    { params: { id: fixture.projectId, '*': path }, query } as never,
    fixture.ada,
  );

const save = (path: string, content: string, branch: string) =>
  fixture.app.call(
    ideRoutes.save,
    { params: { id: fixture.projectId, '*': path }, body: { content, branch } },
    fixture.ada,
  );

async function blobs(commit: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, oid } of listTree(fixture.repo, commit)) found[path ?? '?'] = oid;
  return found;
}

test('a folder is moved and deleted with all that is in it, in one commit each', async () => {
  const base = await fixture.upstream.head();
  const before = await blobs(base);
  const moved = (await move({ from: 'src', to: 'lib/core', branch: 'folders' })).body;
  const after = await blobs(moved.commit);
  expect(after).toEqual(
    Object.fromEntries(
      Object.entries(before).map(([path, oid]) => [path.replace(/^src\//, 'lib/core/'), oid]),
    ),
  );
  const commits = [];
  for await (const commit of log(fixture.repo, { from: moved.commit, not: [base] })) commits.push(commit);
  expect(commits).toMatchObject([{ message: 'Rename src to lib/core\n', author: 'ada' }]);
  expect((await remove('lib', { branch: 'folders' })).error).toMatchObject({ reason: 'not_a_file' });
  const removed = (await remove('lib', { branch: 'folders', recursive: 'true' })).body;
  expect(Object.keys(await blobs(removed.commit)).sort()).toEqual([
    'README.md',
    'docs/guide.md',
    'link',
    'sub',
  ]);
  expect((await remove('lib', { branch: 'folders', recursive: 'true' })).status).toBe(404);
});

test('a binary file is moved without its content, and a file that changed since is not', async () => {
  const moved = await move({ from: 'src/deep/logo.png', to: 'logo.png', branch: 'binary' });
  expect(moved.status).toBe(200);
  const { commit } = (await save('docs/guide.md', '# One\n', 'binary')).body;
  await save('docs/guide.md', '# Two\n', 'binary');
  const stale = { from: 'docs/guide.md', to: 'docs/other.md', base_sha: commit, branch: 'binary' };
  expect((await move(stale)).error?.reason).toBe('file_changed');
  const folder = { from: 'docs', to: 'doc', base_sha: commit, branch: 'binary' };
  expect((await move(folder)).error?.reason).toBe('file_changed');
  expect(
    (await remove('docs', { recursive: 'true', base_sha: commit, branch: 'binary' })).error?.reason,
  ).toBe('file_changed');
  // A name that differs in case only is another one.
  expect((await move({ from: 'README.md', to: 'readme.md', branch: 'binary' })).status).toBe(200);
});

test.each([
  ['src', 'src/inner', 400],
  ['src', 'src', 400],
  ['src/a.js', 'docs', 409],
  ['docs', 'README.md', 409],
  ['README.md', 'src/a.js/b.js', 400],
  ['nowhere', 'somewhere', 404],
  ['link', 'other', 400],
  ['sub', 'other', 400],
  ['src', 'link/src', 400],
  ['src', '.git/hooks', 400],
  ['src', 'a/../../b', 400],
  ['.git', 'x', 400],
  ['../src', 'x', 400],
  ['src', '.gitmodules', 400],
  ['src', 'a\\b', 400],
  ['src', 'a\0b', 422],
  ['src', `${'x/'.repeat(63)}y`, 400],
  ['src', `${'x'.repeat(254)}/`.repeat(3) + 'y'.repeat(250), 400],
  ['src', 'x'.repeat(1_025), 422],
])('moving %j to %j is refused with %3$i', async (from, to, status) => {
  const before = (await save('marker.txt', 'same\n', 'refused')).body.commit;
  const reply = await move({ from, to, branch: 'refused' });
  expect(reply.status).toBe(status);
  expect(reply.error?.message).toBeTruthy();
  expect((await save('marker.txt', 'same\n', 'refused')).body.commit).toBe(before);
});

test('viewers and strangers move nothing', async () => {
  const files = { from: 'src', to: 'lib' };
  expect((await move(files, fixture.vic)).error?.code).toBe('read_only');
  expect((await move(files, fixture.eve)).status).toBe(404);
});
