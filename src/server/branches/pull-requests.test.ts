import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branchRoutes, pullRequestRoutes, pushRoutes } from '#contract/branches.ts';
import { type CodeHostKind, codeHostRoutes } from '#contract/code-hosts.ts';
import { hookRoutes } from '#contract/hooks.ts';
import { projectRoutes } from '#contract/projects.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { detectCodeHost, newRequestUrl, parseHostRepository } from '../code-hosts/host-url.ts';
import { createPushFixture, type PushFixture } from './testing.ts';
import { createTestCodeHost, HOST_TOKEN, type TestCodeHost } from './testing-code-host.ts';

const certificate = makeCertificate();
afterAll(() => certificate.remove());

/** An answered error of the project. */
async function insertSession({ app, projectId, ada, upstream }: PushFixture): Promise<string> {
  const id = `session-${projectId}`;
  const hash = await upstream.head('main');
  const answer = {
    abstained: false,
    root_cause: { code: 'x', params: {}, text: '`read` expects a number.' },
    cause_confidence: 0.8,
    suspect_commits: [{ hash, message: 'Begin' }],
    evidence: [
      {
        id: 'e1',
        kind: 'frame',
        path: 'a.txt',
        lines: [2, 2],
        commit: hash,
        why: { text: 'Innermost frame' },
      },
    ],
  };
  const of = { project_id: projectId, fingerprint: 'f' };
  await app.deps.db.insertInto('debug_groups').values(of).execute();
  await app.deps.db
    .insertInto('debug_sessions')
    .values({
      ...{ ...of, id, number: 1, user_id: ada.id, title: 'TypeError: cannot read two' },
      request: JSON.stringify({ error_message: 'TypeError: cannot read `two`\n    at read (a.txt:2:1)' }),
      answer: JSON.stringify(answer),
    })
    .execute();
  return id;
}

describe.each<CodeHostKind>(['github', 'gitlab', 'gitea'])('%s', (kind) => {
  let host: TestCodeHost;
  let fixture: PushFixture;
  let params: { id: string };
  let sessionId: string;

  beforeAll(async () => {
    host = createTestCodeHost(kind, (branch) => fixture.upstream.head(branch));
    const serve = {
      tls: certificate,
      answer: (...call: Parameters<TestCodeHost['answer']>) => host.answer(...call),
    };
    fixture = await createPushFixture({ serve, caFile: certificate.file, name: 'acme/words.git' });
    params = { id: fixture.projectId };
    await fixture.app.call(projectRoutes.update, { params, body: { may_push: true } }, fixture.ada);
    sessionId = await insertSession(fixture);
    await fixture.save('a.txt', 'one\nTWO\nthree\n', { branch: 'fix/two' });
    const push = { branch: 'fix/two', target: 'fix/two', session_id: sessionId };
    const { body: sent } = await fixture.app.call(pushRoutes.create, { params, body: push }, fixture.ada);
    expect(await fixture.ended(sent.id)).toMatchObject({ state: 'done' });
  }, 60_000);
  afterAll(() => fixture.close());

  const draft = async () =>
    (
      await fixture.app.call(
        pullRequestRoutes.draft,
        { params, body: { branch: 'fix/two', session_id: sessionId } },
        fixture.ada,
      )
    ).body;
  const open = async (branch = 'fix/two') => {
    const { title, body } = await draft();
    const input = { branch, title, body, session_id: sessionId };
    return await fixture.app.call(pullRequestRoutes.create, { params, body: input }, fixture.ada);
  };

  test('without a token the draft has a link to the host; with one the request is opened', async () => {
    expect((await open()).error?.reason).toBe('code_host_unknown');
    const settings = { kind, token: HOST_TOKEN };
    expect(
      (await fixture.app.call(codeHostRoutes.save, { params, body: settings }, fixture.bea)).status,
    ).toBe(409);
    await fixture.app.call(codeHostRoutes.save, { params, body: { kind } }, fixture.ada);
    expect((await open()).error?.reason).toBe('code_host_token_missing');
    expect(await draft()).toMatchObject({ has_token: false, compare_url: expect.stringContaining('fix') });
    const saved = await fixture.app.call(codeHostRoutes.save, { params, body: settings }, fixture.ada);
    expect(saved.body.code_host).toMatchObject({ kind, has_token: true });
    expect(saved.raw.body).not.toContain(HOST_TOKEN);

    const { title, body } = await draft();
    expect(title).toBe('Update a.txt');
    expect(body).toContain('cannot read `two`');
    expect(body).toContain(`/debug/${sessionId})`);
    expect(body).toContain('`read` expects a number.');
    expect(body).toMatch(/- `a.txt:2` @ \[`\w{7}`\]\(https:.*\/commit\/\w{40}\): Innermost frame/);
    expect((await open('never/pushed')).error?.reason).toBe('branch_missing');
    const { status, body: opened } = await open();
    expect({ status, opened }).toMatchObject({
      status: 201,
      opened: { number: 7, state: 'open', branch: 'fix/two', target: 'main', session_id: sessionId },
    });
    expect(host.pulls).toMatchObject([{ head: 'fix/two', base: 'main', title, body }]);
    // A lost reply: the request that is open is found.
    expect((await open()).body.id).toBe(opened.id);
    expect(host.pulls).toHaveLength(1);
    const { branches } = (
      await fixture.app.call(branchRoutes.list, { params, query: { session_id: sessionId } }, fixture.ada)
    ).body;
    expect(branches).toMatchObject([{ name: 'fix/two', pull_request: { number: 7 } }]);
  });

  test('the host answers wrongly, slowly or with a redirect: a clear reason each, and nothing is lost', async () => {
    const [pull] = (await fixture.app.call(pullRequestRoutes.list, { params, query: {} }, fixture.ada)).body
      .pull_requests;
    const refresh = async () =>
      (
        await fixture.app.call(
          pullRequestRoutes.refresh,
          { params: { ...params, pull: pull!.id } },
          fixture.ada,
        )
      ).body;
    for (const [next, code] of [
      [{ status: 401 }, 'code_host_token_rejected'],
      [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, 'code_host_redirected'],
      [{ status: 200, body: '<html>' }, 'code_host_unreadable'],
      [{ status: 200, body: '{"number":1}' }, 'code_host_unreadable'],
      [{ status: 429 }, 'code_host_busy'],
      [{ status: 502 }, 'code_host_unreachable'],
      [{ status: 404 }, 'code_host_not_found'],
      ['silence', 'code_host_unreachable'],
    ] as const) {
      host.next = next;
      expect(await refresh()).toMatchObject({ state: 'open', failure: { code: `errors.${code}` } });
    }
    host.checks = 'failed';
    expect(await refresh()).toMatchObject({ failure: null, checks: 'failed' });
    host.checks = 'passed';
    expect(await refresh()).toMatchObject({ checks: 'passed' });
  });

  test('a webhook about the merge resolves the error', async () => {
    const { body: hook } = await fixture.app.call(hookRoutes.create, { params }, fixture.ada);
    await fixture.upstream.switch('main');
    await fixture.upstream.merge('fix/two');
    Object.assign(host.pulls[0]!, { state: 'closed', merged: true });
    const event = kind === 'gitlab' ? 'Merge Request Hook' : 'pull_request';
    const signature = createHmac('sha256', hook.secret).update('{}').digest('hex');
    const reply = await fixture.app.inject({
      method: 'POST',
      url: new URL(hook.push_url).pathname,
      payload: '{}',
      headers: {
        'content-type': 'application/json',
        [`x-${kind}-event`]: event,
        ...(kind === 'gitlab' && { 'x-gitlab-token': hook.secret }),
        ...(kind === 'github' && { 'x-hub-signature-256': `sha256=${signature}` }),
        ...(kind === 'gitea' && { 'x-gitea-signature': signature }),
      },
    });
    expect(reply.json()).toEqual({ outcome: 'pull_request_queued' });
    const { db } = fixture.app.deps;
    const state = async () => (await db.selectFrom('debug_groups').select('state').executeTakeFirst())?.state;
    await expect.poll(state).toBe('solved');
    expect(await db.selectFrom('debug_resolutions').selectAll().execute()).toMatchObject([
      {
        session_id: sessionId,
        state: 'confirmed',
        fixing_commit: { path: 'a.txt', message: 'Update a.txt' },
      },
    ]);
    const { pull_requests } = (
      await fixture.app.call(pullRequestRoutes.list, { params, query: {} }, fixture.ada)
    ).body;
    expect(pull_requests).toMatchObject([
      { state: 'merged', merge_commit: await fixture.upstream.head('main') },
    ]);
  });
});

test.each([
  ['https://github.com/a/b.git', 'github', 'https://api.github.com', 'a/b'],
  ['ssh://git@github.com/a/b.git', 'github', 'https://api.github.com', 'a/b'],
  ['https://github.corp.example/a/b', 'github', 'https://github.corp.example/api/v3', 'a/b'],
  ['https://gitlab.com/group/sub/b.git', 'gitlab', 'https://gitlab.com/api/v4', 'group/sub/b'],
  ['https://codeberg.org/a/b', 'gitea', 'https://codeberg.org/api/v1', 'a/b'],
])('the API of %s is found from the host', (url, kind, api_url, path) => {
  expect(detectCodeHost(url)).toEqual({ kind, api_url });
  expect(parseHostRepository(url)?.path).toBe(path);
});

test('a compare link is filled in, and odd names stay in their place', () => {
  const repository = parseHostRepository('https://github.com/a/b')!;
  const request = { branch: 'fix/#1', target: 'main', title: 'T & U', body: 'x'.repeat(10_000) };
  const url = new URL(newRequestUrl('github', repository, request));
  expect(url.pathname).toBe('/a/b/compare/main...fix/%231');
  expect(url.searchParams.get('title')).toBe('T & U');
  expect(url.href.length).toBeLessThan(8000);
  expect(newRequestUrl('gitlab', repository, request)).toContain(
    '/-/merge_requests/new?merge_request%5Bsource_branch%5D=fix',
  );
  expect(detectCodeHost('https://git.example.org/a/b')).toBeNull();
});
