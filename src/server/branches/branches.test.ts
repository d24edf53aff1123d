import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchRoutes } from '#contract/branches.ts';
import { ideRoutes } from '#contract/ide.ts';
import { searchRoutes } from '#contract/search.ts';
import type { TestUser } from '../testing.ts';
import { createPushFixture, type PushFixture } from './testing.ts';

let fixture: PushFixture;
let params: { id: string };

beforeAll(async () => {
  fixture = await createPushFixture();
  params = { id: fixture.projectId };
}, 60_000);
afterAll(() => fixture.close());

const list = async (as = fixture.ada) =>
  (await fixture.app.call(branchRoutes.list, { params, query: {} }, as)).body.branches;
const update = (
  branch: string,
  body: Parameters<typeof fixture.app.call<typeof branchRoutes.update>>[1]['body'],
) => fixture.app.call(branchRoutes.update, { params: { ...params, branch }, body }, fixture.ada);
const read = async (path: string, ref: string) =>
  (await fixture.app.call(ideRoutes.file, { params: { ...params, '*': path }, query: { ref } }, fixture.ada))
    .body.content;

test('a list has one’s own branches only; a name with a slash is one part of a path', async () => {
  await fixture.save('a.txt', 'mine\n', { branch: 'list/mine' });
  await fixture.save('a.txt', 'hers\n', { branch: 'list/hers', as: fixture.bea });
  expect((await list()).map(({ name }) => name)).toEqual(['list/mine']);
  expect((await list(fixture.bea)).map(({ name }) => name)).toEqual(['list/hers']);
  expect(await list(fixture.vic)).toEqual([]);
  for (const route of [branchRoutes.remove, branchRoutes.patch]) {
    const input = { params: { ...params, branch: 'list/hers' }, query: {} };
    expect(
      (
        await fixture.app.inject(
          {
            method: route.method,
            url: `/api/projects/${params.id}/branches/${encodeURIComponent(input.params.branch)}${route === branchRoutes.patch ? '/patch' : ''}`,
          },
          fixture.ada,
        )
      ).statusCode,
    ).toBe(404);
  }
});

test('a patch, a diff and a bundle bring the commits to another clone', async () => {
  await fixture.save('a.txt', 'patched\n', { branch: 'export/it' });
  await fixture.save('ü new.txt', 'n\n', { branch: 'export/it' });
  const download = async (format: string) => {
    const url = `/api/projects/${params.id}/branches/export%2Fit/patch?format=${format}`;
    const reply = await fixture.app.inject({ url }, fixture.ada);
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="export-it\.\w+"$/);
    return reply.rawPayload;
  };
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-clone-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args])
      .toString()
      .trim();
  execFileSync('git', ['clone', '-q', fixture.upstream.path, folder]);
  for (const format of ['mbox', 'diff', 'bundle'])
    writeFileSync(join(folder, format), await download(format));
  git('fetch', '-q', 'bundle', 'refs/heads/*:refs/heads/*');
  const tree = git('rev-parse', 'export/it^{tree}');
  git('checkout', '-q', '-b', 'one', 'origin/main');
  git('am', '-q', 'mbox');
  git('checkout', '-q', '-b', 'two', 'origin/main');
  git('apply', '--index', 'diff');
  expect([git('rev-parse', 'one^{tree}'), git('write-tree')]).toEqual([tree, tree]);
  await rm(folder, { recursive: true });
});

test('a branch is renamed and deleted where it stands, and names are checked', async () => {
  const head = await fixture.save('a.txt', 'named\n', { branch: 'old-name' });
  const rename = (branch: string, name: string) =>
    fixture.app.call(branchRoutes.rename, { params: { ...params, branch }, body: { name } }, fixture.ada);
  expect((await rename('old-name', 'a..b')).status).toBe(400);
  expect((await rename('old-name', 'hindsight/eve')).status).toBe(400);
  expect((await rename('old-name', 'list/hers')).status).toBe(409);
  expect((await rename('old-name', 'old-name/below')).status).toBe(409);
  expect((await rename('old-name', 'new/name')).body).toEqual({ name: 'new/name' });
  expect((await list()).find(({ name }) => name === 'new/name')?.head).toBe(head);
  expect((await rename('old-name', 'x')).status).toBe(404);
  const remove = (branch: string, at: string) =>
    fixture.app.call(
      branchRoutes.remove,
      { params: { ...params, branch }, query: { head: at } },
      fixture.ada,
    );
  expect((await remove('new/name', 'a'.repeat(40))).error?.reason).toBe('branch_changed');
  expect((await remove('new/name', head)).status).toBe(200);
  expect((await list()).map(({ name }) => name)).not.toContain('new/name');
});

test('what was saved on the working branch is found by its author at once, and by no other member', async () => {
  await fixture.save('found.txt', 'export const zephyrQuotient = 1;\n');
  const search = async (as: TestUser) => {
    const query = { q: 'zephyrQuotient', project_id: params.id };
    return (await fixture.app.call(searchRoutes.search, { query }, as)).body;
  };
  expect((await search(fixture.ada)).passages.map(({ path }) => path)).toContain('found.txt');
  expect(JSON.stringify(await search(fixture.bea))).not.toContain('found.txt');
});

test('an upstream that moves is merged or rebased on; conflicts are shown and resolved', async () => {
  const clean = await fixture.save('c.txt', 'c\n', { branch: 'up/clean' });
  await fixture.save('c.txt', 'c\n', { branch: 'up/rebase' });
  const conflicting = await fixture.save('a.txt', 'mine\ntwo\nthree\n', { branch: 'up/conflict' });
  expect((await update('up/clean', { method: 'merge' })).body.state).toBe('up_to_date');
  await fixture.upstream.switch('main');
  const upstream = await fixture.upstream.commit({ files: { 'a.txt': 'theirs\ntwo\nthree\n' } });
  await fixture.refresh();
  const behind = (await list()).find(({ name }) => name === 'up/clean');
  expect(behind).toMatchObject({ ahead: 1, behind: 1 });

  expect((await update('up/clean', { method: 'merge', head: 'b'.repeat(40) })).error?.reason).toBe(
    'branch_changed',
  );
  const merged = await update('up/clean', { method: 'merge', head: clean });
  expect(merged.body).toMatchObject({ state: 'updated', upstream });
  expect(await read('a.txt', 'up/clean')).toBe('theirs\ntwo\nthree\n');
  expect(await read('c.txt', 'up/clean')).toBe('c\n');
  expect((await update('up/rebase', { method: 'rebase' })).body.state).toBe('updated');
  expect((await list()).find(({ name }) => name === 'up/rebase')).toMatchObject({ ahead: 1, behind: 0 });

  const stopped = await update('up/conflict', { method: 'rebase' });
  expect(stopped.body).toMatchObject({ state: 'conflicts', stopped_at: { hash: conflicting } });
  const { body } = await update('up/conflict', { method: 'merge' });
  expect(body).toMatchObject({
    state: 'conflicts',
    head: conflicting,
    conflicts: [
      {
        path: 'a.txt',
        base: 'one\ntwo\nthree\n',
        ours: 'mine\ntwo\nthree\n',
        theirs: 'theirs\ntwo\nthree\n',
        resolvable: true,
      },
    ],
  });
  // Nothing was written.
  expect((await list()).find(({ name }) => name === 'up/conflict')?.head).toBe(conflicting);
  const seen = { method: 'merge' as const, head: conflicting, upstream };
  const wrong = await update('up/conflict', { ...seen, resolutions: [{ path: 'b.txt', content: 'x' }] });
  expect(wrong.error?.reason).toBe('conflicts_unresolved');
  const resolutions = [{ path: 'a.txt', content: 'both\ntwo\nthree\n' }];
  expect((await update('up/conflict', { ...seen, resolutions })).body.state).toBe('updated');
  expect(await read('a.txt', 'up/conflict')).toBe('both\ntwo\nthree\n');
  expect((await list()).find(({ name }) => name === 'up/conflict')).toMatchObject({ behind: 0 });
});

test('a rebase goes on after each conflict that is resolved, and nothing is lost on the way', async () => {
  const branch = 'up/steps';
  await fixture.upstream.switch('main');
  await fixture.upstream.commit({ files: { 'r.txt': 'one\n', 'r.bin': 'a\0a' } });
  await fixture.refresh();
  const first = await fixture.save('r.txt', 'mine 1\n', { branch });
  const second = await fixture.save('r.txt', 'mine 2\n', { branch });
  const head = await fixture.save('t.txt', 't\n', { branch });
  const upstream = await fixture.upstream.commit({ files: { 'r.txt': 'theirs\n' } });
  await fixture.refresh();
  const seen = { method: 'rebase' as const, head, upstream };
  const one = await update(branch, seen);
  expect(one.body).toMatchObject({
    ...{ state: 'conflicts', head, stopped_at: { hash: first }, steps: { step: 1, total: 3 } },
    conflicts: [{ path: 'r.txt', base: 'one\n', ours: 'mine 1\n', theirs: 'theirs\n' }],
  });
  const resolutions = [{ path: 'r.txt', content: 'both 1\n', commit: first }];
  const two = await update(branch, { ...seen, resolutions });
  expect(two.body).toMatchObject({
    ...{ state: 'conflicts', head, stopped_at: { hash: second }, steps: { step: 2, total: 3 } },
    conflicts: [{ path: 'r.txt', base: 'mine 1\n', ours: 'mine 2\n', theirs: 'both 1\n' }],
  });
  const all = [...resolutions, { path: 'r.txt', take: 'ours' as const, commit: second }];
  // A branch that has moved meanwhile keeps what was saved.
  const later = await fixture.save('u.txt', 'u\n', { branch });
  expect((await update(branch, { ...seen, resolutions: all })).error?.reason).toBe('branch_changed');
  expect((await list()).find(({ name }) => name === branch)?.head).toBe(later);
  const done = await update(branch, { ...seen, head: later, resolutions: all });
  expect(done.body.state).toBe('updated');
  expect([await read('r.txt', branch), await read('u.txt', branch)]).toEqual(['mine 2\n', 'u\n']);
  expect((await list()).find(({ name }) => name === branch)).toMatchObject({ ahead: 4, behind: 0 });
});

test('a branch of more commits than are replayed one by one can be merged', async () => {
  const branch = 'up/long';
  await fixture.save('long.txt', '0\n', { branch });
  const ref = `refs/heads/${branch}`;
  const lines = ['feature done'];
  for (let at = 1; at <= 201; at++) {
    lines.push(`commit ${ref}`, `committer A <a@example.org> ${1_700_000_000 + at} +0000`, 'data 1', 'x');
    lines.push(
      ...(at === 1 ? [`from ${ref}^0`] : []),
      'M 100644 inline long.txt',
      'data 4',
      String(1000 + at),
      '',
    );
  }
  const input = `${[...lines, 'done'].join('\n')}\n`;
  execFileSync('git', ['-C', fixture.repo, 'fast-import', '--quiet'], { input });
  const long = execFileSync('git', ['-C', fixture.repo, 'rev-parse', ref], { encoding: 'utf8' }).trim();
  await fixture.app.deps.db.updateTable('branches').set({ head: long }).where('name', '=', branch).execute();
  await fixture.upstream.switch('main');
  const upstream = await fixture.upstream.commit({ files: { 'long-upstream.txt': 'u\n' } });
  await fixture.refresh();
  const { head } = (await list()).find(({ name }) => name === branch)!;
  const replayed = await update(branch, { method: 'rebase', head, upstream });
  expect([replayed.status, replayed.error?.message]).toEqual([
    413,
    expect.stringMatching(/200 commits.*Merge/),
  ]);
  expect((await list()).find(({ name }) => name === branch)?.head).toBe(head);
  const merged = await update(branch, { method: 'merge', head, upstream });
  expect(merged.body.state).toBe('updated');
  expect((await list()).find(({ name }) => name === branch)).toMatchObject({ behind: 0 });
});

test('a commit is reverted on a branch of one’s own; what conflicts is resolved first', async () => {
  const { app, upstream, ada } = fixture;
  const change = await upstream.commit({ message: 'Set a limit', files: { 'l.txt': 'limit 3\n' } });
  const other = await upstream.commit({ message: 'Name it', files: { 'b.txt': 'named\n' } });
  await upstream.commit({ message: 'Raise it', files: { 'l.txt': 'limit 4\n' } });
  await fixture.refresh();
  const revert = (sha: string, body: Parameters<typeof app.call<typeof branchRoutes.revert>>[1]['body']) =>
    app.call(branchRoutes.revert, { params: { ...params, sha }, body }, ada);
  const clean = await revert(other, { branch: 'revert-b' });
  expect(clean.body).toMatchObject({ state: 'reverted', branch: 'revert-b', conflicts: [] });
  expect(await read('b.txt', 'revert-b')).toBe('b\n');
  expect((await list()).find(({ name }) => name === 'revert-b')).toMatchObject({
    head: clean.body.head,
    last_commit: { message: 'Revert "Name it"', author: 'ada' },
  });
  expect((await revert(other, { branch: 'revert-b' })).error?.reason).toBe('nothing_to_revert');
  const { body } = await revert(change, { branch: 'revert-l' });
  expect(body).toMatchObject({
    state: 'conflicts',
    conflicts: [
      {
        ...{ path: 'l.txt', base: 'limit 3\n', ours: 'limit 4\n', theirs: null, resolvable: true },
        missing: { ours: false, theirs: true },
      },
    ],
  });
  expect((await list()).map(({ name }) => name)).not.toContain('revert-l');
  const resolutions = [{ path: 'l.txt', content: null }];
  const seen = { branch: 'revert-l', head: body.head, resolutions };
  expect((await revert(change, { ...seen, head: 'a'.repeat(40) })).error?.reason).toBe('branch_changed');
  expect((await revert(change, seen)).body.state).toBe('reverted');
  expect((await list()).find(({ name }) => name === 'revert-l')).toMatchObject({ ahead: 1 });
});
