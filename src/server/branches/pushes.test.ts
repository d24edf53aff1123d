import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { adminRoutes } from '#contract/admin.ts';
import { auditRoutes } from '#contract/audit.ts';
import { branchRoutes, pushRoutes } from '#contract/branches.ts';
import { egressRoutes } from '#contract/egress.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { TestUser } from '../testing.ts';
import { sendPushJob } from './push-tasks.ts';
import { createPushFixture, type PushFixture } from './testing.ts';

const hooksPath = mkdtempSync(join(tmpdir(), 'hindsight-hooks-'));
let fixture: PushFixture;
let params: { id: string };

beforeAll(async () => {
  const hook = join(hooksPath, 'pre-receive');
  writeFileSync(
    hook,
    "#!/bin/sh\nwhile read old new ref; do case $ref in refs/heads/release/*) echo 'GH006: Protected branch update failed' >&2; exit 1;; esac; done\necho 'See http://127.0.0.1/pull/new'>&2\n",
  );
  chmodSync(hook, 0o755);
  fixture = await createPushFixture({ serve: { receivePack: { hooksPath } } });
  params = { id: fixture.projectId };
  await allow({ may_push: true });
}, 60_000);
afterAll(async () => {
  await fixture.close();
  await rm(hooksPath, { recursive: true, force: true });
});

type PushInput = {
  branch: string;
  target: string;
  commits?: string[];
  expected?: string | null;
  replace?: string;
};

const allow = (body: { may_push?: boolean; may_push_default?: boolean }, as = fixture.ada) =>
  fixture.app.call(projectRoutes.update, { params, body }, as);
const preview = (body: PushInput, as = fixture.ada) =>
  fixture.app.call(pushRoutes.preview, { params, body }, as);
const create = (body: PushInput, as = fixture.ada) =>
  fixture.app.call(pushRoutes.create, { params, body }, as);
const push = async (body: PushInput, as: TestUser = fixture.ada) => {
  const { status, body: created, error } = await create(body, as);
  if (error) return { status, reason: error.reason, state: null };
  expect({ status, state: created.state }).toEqual({ status: 201, state: 'queued' });
  return await fixture.ended(created.id, as);
};
let number = 0;
let branch: string;
beforeEach(() => {
  branch = `fix/${++number}`;
});

test('a preview says what is sent, where and as whom; the push sends just that', async () => {
  const first = await fixture.save('a.txt', 'ONE\ntwo\nthree\n', { branch });
  const head = await fixture.save('new.txt', 'n\n', { branch });
  const { body } = await preview({ branch, target: 'topic/one' });
  expect(body).toMatchObject({
    host: '127.0.0.1',
    url: `${fixture.gitServer.url}/${fixture.upstream.name}`,
    credential: { kind: 'anonymous' },
    default_branch: 'main',
    remote_head: null,
    head,
    commits: [{ hash: head }, { hash: first, message: 'Update a.txt', author: 'ada' }],
    files: [
      { path: 'a.txt', additions: 1, deletions: 1 },
      { path: 'new.txt', additions: 1, deletions: 0 },
    ],
    replaces: false,
    blocked: null,
  });
  const sent = await push({ branch, target: 'topic/one', expected: null });
  expect(sent).toMatchObject({
    state: 'done',
    outcome: 'created',
    message: 'See http://127.0.0.1/pull/new',
    url: 'http://127.0.0.1/pull/new',
  });
  expect(await fixture.upstream.head('topic/one')).toBe(head);
  const { branches } = (await fixture.app.call(branchRoutes.list, { params, query: {} }, fixture.ada)).body;
  expect(branches.find(({ name }) => name === branch)).toMatchObject({
    head,
    ahead: 2,
    behind: 0,
    unpushed: 0,
    upstream: 'main',
    pushed: { target: 'topic/one', head },
  });
  expect((await preview({ branch, target: 'topic/one' })).body.blocked?.code).toBe('errors.push_nothing');
  const { entries } = (await fixture.app.call(egressRoutes.project, { params, query: {} }, fixture.ada)).body;
  expect(entries.filter(({ user, purpose }) => user === 'ada' && purpose === 'git').length).toBeGreaterThan(
    2,
  );
  const { events } = (await fixture.app.call(auditRoutes.mine, { query: {} }, fixture.ada)).body;
  expect(events.find(({ event }) => event === 'branch_pushed')?.detail).toMatchObject({
    branch: 'topic/one',
  });
});

test('chosen commits are sent alone, the same ones that the preview showed', async () => {
  const commits: string[] = [];
  for (const [path, text] of [
    ['a.txt', 'A\n'],
    ['c.txt', 'C\n'],
    ['d.txt', 'D\n'],
  ] as const) {
    commits.push(await fixture.save(path, text, { branch }));
  }
  const chosen = { branch, target: 'topic/chosen', commits: [commits[1]!] };
  const { body } = await preview(chosen);
  expect(body.choosable.map(({ hash }) => hash)).toEqual(commits);
  expect(body.files).toMatchObject([{ path: 'c.txt' }]);
  await push({ ...chosen, expected: null });
  expect(await fixture.upstream.head('topic/chosen')).toBe(body.head);
  // The first commits of a branch are sent as they are.
  expect((await preview({ branch, target: 'x', commits: [commits[0]!] })).body.head).toBe(commits[0]);
  const again = await fixture.save('c.txt', 'CC\n', { branch });
  expect(await push({ branch, target: 'y', commits: [again] })).toMatchObject({
    status: 409,
    reason: 'commits_conflict',
  });
  expect(await push({ branch, target: 'y', commits: ['f'.repeat(40)] })).toMatchObject({
    reason: 'commit_unknown',
  });
});

test('nothing is pushed that the owner does not allow', async () => {
  await fixture.save('a.txt', 'x\n', { branch });
  expect((await allow({ may_push: false }, fixture.bea)).error?.code).toBe('read_only');
  expect(await push({ branch, target: 'main' })).toMatchObject({ status: 409, reason: 'default_branch' });
  expect((await preview({ branch, target: 'main' })).body.blocked?.code).toBe('errors.push_default_branch');
  await allow({ may_push: false });
  expect(await push({ branch, target: 'topic/no' })).toMatchObject({
    status: 409,
    reason: 'push_not_allowed',
  });
  await allow({ may_push: true });
  expect((await create({ branch, target: 'topic/no' }, fixture.vic)).error?.code).toBe('read_only');
  // The branch of another member does not exist.
  expect((await create({ branch, target: 'topic/no' }, fixture.bea)).status).toBe(404);
  const turn = (pushing: boolean) =>
    fixture.app.call(adminRoutes.updateFeatures, { body: { pushing } }, fixture.ada);
  await turn(false);
  expect(await push({ branch, target: 'topic/no' })).toMatchObject({
    status: 503,
    reason: 'feature_disabled',
  });
  await turn(true);
});

test('a member who is no owner pushes their own branch', async () => {
  const head = await fixture.save('b.txt', 'bea\n', { branch, as: fixture.bea });
  expect(await push({ branch, target: 'topic/bea' }, fixture.bea)).toMatchObject({ state: 'done' });
  expect(await fixture.upstream.head('topic/bea')).toBe(head);
  const { pushes } = (await fixture.app.call(pushRoutes.list, { params, query: {} }, fixture.ada)).body;
  expect(pushes.map(({ target }) => target)).not.toContain('topic/bea');
});

test('bad names, protected branches and moved branches are refused with the reason', async () => {
  await fixture.save('a.txt', 'y\n', { branch });
  for (const target of ['a..b', '-x', 'a b', 'refs~x', 'x.lock', 'f'.repeat(40), '@']) {
    expect({ target, ...(await push({ branch, target })) }).toMatchObject({ target, status: 400 });
  }
  expect(await push({ branch, target: 'release/1' })).toMatchObject({
    state: 'failed',
    failure: { code: 'errors.push_refused_protected_branch' },
    message: 'GH006: Protected branch update failed',
  });
  await fixture.upstream.branch('topic/moved', 'main');
  const theirs = await fixture.upstream.commit({ files: { 'b.txt': 'theirs\n' } });
  // It did not exist when it was reviewed.
  expect(await push({ branch, target: 'topic/moved', expected: null })).toMatchObject({
    state: 'failed',
    failure: { code: 'errors.push_branch_moved' },
  });
  const { body } = await preview({ branch, target: 'topic/moved' });
  expect(body).toMatchObject({ remote_head: theirs, replaces: true });
  const known = { branch, target: 'topic/moved', expected: theirs };
  expect(await push(known)).toMatchObject({ status: 409, reason: 'not_fast_forward' });
  expect(await fixture.upstream.head('topic/moved')).toBe(theirs);
  // After a second confirmation, and only while it stands where it was seen.
  expect(await push({ ...known, expected: undefined, replace: 'a'.repeat(40) })).toMatchObject({
    state: 'failed',
  });
  expect(await push({ ...known, replace: theirs })).toMatchObject({ state: 'done', outcome: 'replaced' });
  expect(await fixture.upstream.head('topic/moved')).toBe(body.head);
});

test('a branch that is deleted meanwhile, at the git server or here, loses nothing', async () => {
  const { app, upstream, ada } = fixture;
  const head = await fixture.save('a.txt', 'deleted\n', { branch });
  await upstream.branch('topic/gone', 'main');
  const seen = (await preview({ branch, target: 'topic/gone' })).body.remote_head!;
  await upstream.switch('main');
  await upstream.deleteBranch('topic/gone');
  expect(await push({ branch, target: 'topic/gone', expected: seen })).toMatchObject({
    state: 'failed',
    failure: { code: 'errors.push_branch_moved' },
  });
  // Deleted here after the push was requested: what was reviewed is sent.
  const { body } = await create({ branch, target: 'topic/kept', expected: null });
  const removed = await app.call(
    branchRoutes.remove,
    { params: { ...params, branch }, query: { head } },
    ada,
  );
  expect(removed.status).toBe(200);
  expect(await fixture.ended(body.id)).toMatchObject({ state: 'done', head });
  expect(await upstream.head('topic/kept')).toBe(head);
  expect((await preview({ branch, target: 'x' })).status).toBe(404);
});

test('a killed push sends the same content once more, or finds that it has arrived', async () => {
  const { app, projectId, upstream } = fixture;
  const head = await fixture.save('a.txt', 'killed\n', { branch });
  const insert = async (
    target: string,
    values: { remote_head?: string | null; remote_head_known?: boolean } = {},
  ) => {
    const id = `push-${target}`;
    await app.deps.db
      .insertInto('pushes')
      .values({
        ...{ project_id: projectId, id, user_id: fixture.ada.id, branch, target, head, commits: '[]' },
        ...{ git_url: `${fixture.gitServer.url}/${upstream.name}`, force: false, state: 'running' as const },
        ...{ remote_head: null, remote_head_known: true, ...values },
      })
      .execute();
    return id;
  };
  const job = sendPushJob(app.deps);
  const run = async (push_id: string) => {
    const context = {
      signal: new AbortController().signal,
      attempt: 2,
      isClaimed: async () => true,
      isCancelled: async () => false,
    };
    await job.run({ project_id: projectId, push_id }, context);
    return await fixture.ended(push_id);
  };
  // Killed before it was sent; meanwhile its branch was changed: what was reviewed is sent.
  const before = await insert('before', { remote_head_known: false });
  await fixture.save('a.txt', 'later\n', { branch });
  expect(await run(before)).toMatchObject({ state: 'done', outcome: 'created' });
  expect(await upstream.head('before')).toBe(head);
  // Killed after it was sent: nothing is sent again.
  const after = await insert('before-2');
  await upstream.branch('before-2', 'before');
  expect(await run(after)).toMatchObject({ state: 'done', outcome: 'unchanged' });
  // Killed in between, and the target has moved: it is not sent on something else.
  const between = await insert('between');
  await upstream.branch('between', 'main');
  expect(await run(between)).toMatchObject({
    state: 'failed',
    failure: { code: 'errors.push_branch_moved' },
  });
  // The repository of the project is another one by now.
  const elsewhere = await insert('elsewhere');
  await app.deps.db
    .updateTable('pushes')
    .set({ git_url: 'https://other.example/x' })
    .where('id', '=', elsewhere)
    .execute();
  expect(await run(elsewhere)).toMatchObject({ failure: { code: 'errors.push_target_changed' } });
  // A second run of a push that has ended does nothing.
  await job.run({ project_id: projectId, push_id: after }, {} as never);
});
