import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchRoutes } from '#contract/branches.ts';
import { ideRoutes } from '#contract/ide.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let fixture: IdeFixture;
let base: string;

beforeAll(async () => {
  fixture = await createIdeFixture({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  base = await fixture.upstream.head();
});
afterAll(() => fixture.close());

type CommitBody = Parameters<typeof fixture.app.call<typeof ideRoutes.commit>>[1]['body'];
const commit = (body: CommitBody, as = fixture.ada) =>
  fixture.app.call(ideRoutes.commit, { params: { id: fixture.projectId }, body }, as);

test('several files are one commit on the branch that was named, with its message and the error that it fixes', async () => {
  const files = [
    { path: 'a.txt', content: 'A\n', base_sha: base },
    { path: 'b.txt', content: null, base_sha: base },
    { path: 'c/new.txt', content: 'n\n' },
  ];
  const { body, status } = await commit({
    files,
    branch: 'fix/all',
    commit_message: 'Fix all',
    session_id: 's1',
  });
  expect({ status, branch: body.branch }).toEqual({ status: 200, branch: 'fix/all' });
  const params = { id: fixture.projectId };
  const { branches } = (
    await fixture.app.call(branchRoutes.list, { params, query: { session_id: 's1' } }, fixture.ada)
  ).body;
  expect(branches).toMatchObject([
    { name: 'fix/all', head: body.commit, ahead: 1, unpushed: 1, last_commit: { message: 'Fix all' } },
  ]);
  const read = async (path: string) =>
    (
      await fixture.app.call(
        ideRoutes.file,
        { params: { ...params, '*': path }, query: { ref: 'fix/all' } },
        fixture.ada,
      )
    ).status;
  expect([await read('a.txt'), await read('b.txt'), await read('c/new.txt')]).toEqual([200, 404, 200]);
  // Unchanged files make no commit.
  const again = await commit({ files: [{ path: 'a.txt', content: 'A\n' }], branch: 'fix/all' });
  expect(again.body.commit).toBe(body.commit);
});

test('one refused file refuses all', async () => {
  const before = { files: [{ path: 'a.txt', content: 'first\n', base_sha: base }], branch: 'refused' };
  const { body } = await commit(before);
  const stale = [
    { path: 'b.txt', content: 'B\n', base_sha: base },
    { path: 'a.txt', content: 'second\n', base_sha: base },
  ];
  expect((await commit({ files: stale, branch: 'refused' })).error?.reason).toBe('file_changed');
  for (const path of ['.git/config', '../x', 'link', 'sub']) {
    expect(
      (
        await commit({
          files: [
            { path: 'b.txt', content: 'B\n' },
            { path, content: 'x' },
          ],
          branch: 'refused',
        })
      ).status,
    ).toBe(400);
  }
  const params = { id: fixture.projectId };
  const { branches } = (await fixture.app.call(branchRoutes.list, { params, query: {} }, fixture.ada)).body;
  expect(branches.find(({ name }) => name === 'refused')?.head).toBe(body.commit);
  expect((await commit(before, fixture.vic)).error?.code).toBe('read_only');
});
