import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CodeHostKind, codeHostRoutes } from '#contract/code-hosts.ts';
import { egressRoutes } from '#contract/egress.ts';
import { type IssueImport, issueRoutes } from '#contract/issues.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { issueScheduleJob } from './import-tasks.ts';
import { createTestIssueHost, type TestIssueHost } from './testing-issue-host.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
const certificate = makeCertificate();
afterAll(() => certificate.remove());

type TestItem = TestIssueHost['items'][number];

const now = () => new Date().toISOString();
const day = (number: number) => new Date(Date.UTC(2024, 0, number)).toISOString();

describe.each<CodeHostKind>(['github', 'gitlab', 'gitea'])('%s', (kind) => {
  let host: TestIssueHost;
  let repository: TestRepository;
  let gitServer: GitServer;
  let app: TestApp;
  let ada: TestUser;
  let bea: TestUser;
  let params: { id: string };
  const hashes: Record<string, string> = {};

  beforeAll(async () => {
    repository = await buildRepository(
      async (repo) => {
        hashes.begin = await repo.commit({ message: 'Begin', files: { 'a.txt': 'one\n' } });
        hashes.named = await repo.commit({ message: 'Fix the crash (#1)', files: { 'a.txt': 'two\n' } });
        await repo.branch('fix/3-login');
        hashes.side = await repo.commit({ message: 'Log in again', files: { 'b.txt': 'b\n' } });
        await repo.switch('main');
        hashes.main = await repo.commit({
          message: 'Elsewhere, not other/project#2',
          files: { 'c.txt': 'c\n' },
        });
        hashes.merge = await repo.merge('fix/3-login');
      },
      { name: 'acme/words.git' },
    );
    host = createTestIssueHost(kind, 'acme/words');
    gitServer = await serveRepositories(repository.folder, {
      tls: certificate,
      answer: (request, reply) => host.answer(request, reply),
    });
    const git = {
      ...GIT,
      allowedPrivateHosts: [gitServer.host],
      caFile: certificate.file,
      hostApiTimeoutS: 30,
    };
    app = await testApp({ work: true, config: { git } });
    [ada, bea] = [await app.signUp('ada'), await app.signUp('bea')];
    const body = { name: 'Words', git_url: `${gitServer.url}/${repository.name}` };
    params = { id: (await app.call(projectRoutes.create, { body }, ada)).body.id };
    await app.deps.db
      .insertInto('project_members')
      .values({ project_id: params.id, user_id: bea.id, role: 'editor' })
      .execute();
    await until(async () => (await app.call(projectRoutes.get, { params }, ada)).body.activity === null);
    await app.call(codeHostRoutes.save, { params, body: { kind } }, ada);
  }, 90_000);

  afterAll(async () => {
    await app?.close();
    await gitServer?.close();
    await repository?.remove();
  });

  beforeEach(async () => {
    await app.call(issueRoutes.clear, { params }, ada);
    Object.assign(host, { headers: {}, maxPage: 100 });
    host.planned.clear();
    host.commentReplies.clear();
    host.calls.length = 0;
    host.items.length = 0;
    host.items.push(
      {
        kind: 'issue',
        number: 1,
        title: 'Crash on empty input',
        body: 'TypeError',
        state: 'closed',
        updated: day(1),
      },
      { kind: 'issue', number: 3, title: 'Cannot log in', updated: day(2) },
      { kind: 'issue', number: 4, title: 'Unrelated', updated: day(3) },
      {
        kind: 'pull_request',
        number: 5,
        title: 'Log in again',
        state: 'merged',
        updated: day(4),
        branch: 'fix/3-login',
        mergeCommit: hashes.merge!,
      },
      { kind: 'pull_request', number: 6, title: 'Draft', updated: day(5) },
    );
  });

  const status = async () => (await app.call(issueRoutes.status, { params }, ada)).body;
  const list = async (query = {}) => (await app.call(issueRoutes.list, { params, query }, ada)).body;
  const numbers = async () => (await list()).issues.map(({ number }) => number).sort((a, b) => a - b);
  const enable = async () => await app.call(issueRoutes.configure, { params, body: { enabled: true } }, ada);
  const start = async () => await app.call(issueRoutes.start, { params }, ada);

  async function settled(state: IssueImport['state'] = 'idle'): Promise<IssueImport> {
    let found = await status();
    await until(async () => {
      found = await status();
      return !['queued', 'running'].includes(found.state) && (await pendingJobs()) === 0;
    });
    expect(found).toMatchObject({ state });
    return found;
  }

  /** Jobs of this import that run or wait for a worker. */
  async function pendingJobs(): Promise<number> {
    const { rows } = await sql<{ count: string }>`select count(*) from pgboss.job
      where name = 'issue-import'
        and (state = 'active' or state in ('created', 'retry') and start_after <= now())`.execute(
      app.deps.db,
    );
    return Number(rows[0]!.count);
  }

  test('nothing is sent before the owner has turned it on; then all pages are read and linked', async () => {
    expect((await start()).error?.reason).toBe('issues_import_disabled');
    expect((await app.call(issueRoutes.configure, { params, body: { enabled: true } }, bea)).status).toBe(
      409,
    );
    expect(host.calls).toEqual([]);
    host.maxPage = 2;
    await enable();
    expect(await settled()).toMatchObject({
      ...{ enabled: true, issues: 3, pull_requests: 2, failure: null },
      host: { kind, has_token: false },
    });
    expect(await numbers()).toEqual([1, 3, 4, 5, 6]);
    expect(host.calls.every(({ token }) => token === null)).toBe(true);
    expect(host.calls.length).toBeGreaterThanOrEqual(3);
    const { entries } = (await app.call(egressRoutes.project, { params, query: {} }, ada)).body;
    expect(entries.filter(({ purpose }) => purpose === 'code_host').length).toBeGreaterThanOrEqual(
      host.calls.length,
    );

    const found = await app.call(issueRoutes.get, { params: { ...params, number: '1' }, query: {} }, ada);
    expect(found.body).toMatchObject({
      ...{
        title: 'Crash on empty input',
        body: 'TypeError',
        state: 'closed',
        author: 'ada',
        labels: ['bug'],
      },
      commits: [{ hash: hashes.named, subject: 'Fix the crash (#1)', source: 'message' }],
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/acme\/words\/(?:-\/)?issues\/1$/),
    });
    const commits = [hashes.named, hashes.side, hashes.merge, hashes.main].join(',');
    const linked = await app.call(issueRoutes.ofCommits, { params, query: { commits } }, ada);
    expect(
      linked.body.commits.map(({ issues }) => issues.map(({ number, source }) => [number, source])),
    ).toEqual([
      [[1, 'message']],
      [
        [3, 'branch'],
        [5, 'merge'],
      ],
      [
        [3, 'branch'],
        [5, 'merge'],
      ],
      [],
    ]);
  });

  test('the next import asks for changes only, and for nothing where nothing has changed', async () => {
    await enable();
    await settled();
    await start();
    await settled();
    host.calls.length = 0;
    await start();
    expect(await settled()).toMatchObject({ received: 0 });
    expect(host.calls.map(({ status }) => status)).toContain(304);
    Object.assign(host.items[0]!, { title: 'Crash on any input', state: 'open', updated: now() });
    host.items.push({ kind: 'issue', number: 7, title: 'Later', updated: now() });
    await start();
    await settled();
    expect(await numbers()).toEqual([1, 3, 4, 5, 6, 7]);
    expect((await list({ q: '#1' })).issues).toMatchObject([{ title: 'Crash on any input', state: 'open' }]);
  });

  test('comments are read, edited and deleted as at the host; those of the system are none', async () => {
    const [crash, , , login] = host.items as [TestItem, TestItem, TestItem, TestItem];
    crash.comments = [
      { id: 11, body: 'Happens with zebra stripes', updated: day(6) },
      { id: 12, body: 'A second one', updated: day(6) },
      { id: 13, body: 'changed the label', updated: day(6), system: kind === 'gitlab' },
    ];
    login.comments = [{ id: 21, body: 'Merged for the release', updated: day(7) }];
    for (const item of [crash, login]) item.updated = day(8);
    host.maxPage = 2;
    await enable();
    expect(await settled()).toMatchObject({ comments: kind === 'gitlab' ? 3 : 4, failure: null });
    const get = async (number: string) =>
      (await app.call(issueRoutes.get, { params: { ...params, number }, query: {} }, ada)).body.comments;
    expect((await get('1')).slice(0, 2)).toMatchObject([
      { id: '11', author: 'bea', body: 'Happens with zebra stripes' },
      { id: '12', body: 'A second one' },
    ]);
    expect(await get('5')).toMatchObject([{ id: '21', body: 'Merged for the release' }]);
    expect((await list({ q: 'zebra' })).issues).toMatchObject([{ number: 1 }]);

    host.calls.length = 0;
    await start();
    await settled();
    expect(host.calls.map(({ url }) => url).filter((url) => /\d\/(?:comments|notes)/.test(url))).toEqual([]);
    crash.comments[0] = { id: 11, body: 'Happens with giraffes', updated: now() };
    crash.comments.splice(1, 1);
    login.comments = [];
    for (const item of [crash, login]) item.updated = now();
    await start();
    await settled();
    expect(await get('1')).toMatchObject(
      [{ id: '11', body: 'Happens with giraffes' }, {}].slice(0, kind === 'gitlab' ? 1 : 2),
    );
    expect(await get('5')).toEqual([]);
    expect((await list({ q: 'zebra' })).total).toBe(0);
  });

  test('comments are bounded, and one issue that the host hides does not end an import', async () => {
    const [crash, login] = host.items as [TestItem, TestItem];
    crash.comments = Array.from({ length: 120 }, (_, index) => ({
      ...{ id: index + 1, body: `\0${'x'.repeat(5_000)}`, updated: day(6) },
    }));
    login.comments = [{ id: 900, body: 'Hidden', updated: day(7) }];
    for (const item of [crash, login]) item.updated = day(8);
    if (kind === 'gitlab') host.planned.set(3, { status: 404 });
    await enable();
    expect(await settled()).toMatchObject({ comments: kind === 'gitlab' ? 50 : 51, failure: null });
    const found = await app.call(issueRoutes.get, { params: { ...params, number: '1' }, query: {} }, ada);
    expect(found.body.comments.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 71),
    );
    expect(found.body.comments.every(({ body }) => body.length <= 4_000 && !body.includes('\0'))).toBe(true);
  });

  test.runIf(kind === 'gitlab')(
    'issues whose comments cannot be read hold up no other, and are asked for again later',
    async () => {
      host.items.forEach((item, index) => {
        item.comments = [{ id: item.number, body: 'Text', updated: item.updated }];
        item.updated = day(10 + index);
      });
      // The last item is read first.
      const replies = [{ status: 502 }, { status: 404 }, { status: 403 }, { status: 200, body: '<html>' }];
      for (const [index, reply] of replies.entries())
        host.commentReplies.set(host.items[4 - index]!.number, reply);
      const { db } = app.deps;
      const listRead = async () =>
        (
          await db
            .selectFrom('issues')
            .select(['number', 'comments_attempts'])
            .orderBy('number')
            .where('comments_as_of', 'is not', null)
            .execute()
        ).map(({ number, comments_attempts }) => [number, comments_attempts]);
      await enable();
      expect(await settled()).toMatchObject({ comments: 1, failure: null });
      expect(await listRead()).toEqual([[1, 0]]);

      host.commentReplies.clear();
      await start();
      await settled();
      expect(await listRead()).toEqual([[1, 0]]);
      await db
        .updateTable('issues')
        .set({ comments_retry_at: new Date(0) })
        .execute();
      await start();
      expect(await settled()).toMatchObject({ comments: 5 });
      expect((await listRead()).map(([, attempts]) => attempts)).toEqual([0, 0, 0, 0, 0]);
    },
  );

  test('a rate limit is waited for, and the import goes on where it stopped', async () => {
    host.maxPage = 1;
    host.planned.set(3, { status: 429, headers: { 'retry-after': '1' } });
    host.planned.set(5, {
      status: 403,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 1),
      },
    });
    await enable();
    await until(async () => (await numbers()).length === 5 && (await status()).state === 'idle');
    const urls = host.calls.filter(({ status }) => status === 200).map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test('a long wait is shown, and Import now does not cut it short', async () => {
    host.planned.set(1, { status: 429, headers: { 'retry-after': '3000' } });
    await enable();
    const waiting = await settled('waiting');
    expect(Date.parse(waiting.retry_at!) - Date.now()).toBeGreaterThan(2000_000);
    await start();
    expect(host.calls).toHaveLength(1);
  });

  test.runIf(kind === 'gitlab')(
    'a rate limit on comments is waited for, and marks none as read',
    async () => {
      const crash = host.items[0]!;
      crash.comments = [{ id: 11, body: 'Text', updated: day(6) }];
      crash.updated = day(8);
      host.commentReplies.set(1, { status: 403, headers: { 'retry-after': '3000' } });
      await enable();
      const { retry_at } = await settled('waiting');
      expect(Date.parse(retry_at!) - Date.now()).toBeGreaterThan(2000_000);
      const due = app.deps.db.selectFrom('issues').select('comments_attempts').where('number', '=', 1);
      expect(await due.where('comments_as_of', 'is', null).execute()).toEqual([{ comments_attempts: 0 }]);
    },
  );

  test('an interrupted import goes on where it stopped, and asks for no page again', async () => {
    host.maxPage = 1;
    host.planned.set(4, { status: 502 });
    await enable();
    await settled('failed');
    expect((await numbers()).length).toBeLessThan(5);
    await start();
    await settled();
    expect(await numbers()).toEqual([1, 3, 4, 5, 6]);
    const urls = host.calls.filter(({ status }) => status === 200).map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test('the host answers wrongly or not at all: a reason in words each, and nothing is lost', async () => {
    await enable();
    await settled();
    for (const [planned, code] of [
      [{ status: 401 }, 'errors.code_host_sign_in_required'],
      [{ status: 404 }, 'errors.code_host_not_found'],
      [{ status: 301, headers: { location: 'https://elsewhere.example' } }, 'errors.code_host_redirected'],
      [{ status: 502 }, 'errors.code_host_unreachable'],
      [{ status: 200, body: '<html>' }, 'errors.code_host_unreadable'],
      [{ status: 200, body: '{"a":1}' }, 'errors.code_host_unreadable'],
    ] as const) {
      host.calls.length = 0;
      host.planned.set(1, planned);
      await start();
      expect((await settled('failed')).failure).toMatchObject({ code, text: expect.any(String) });
    }
    host.calls.length = 0;
    host.planned.set(1, { status: 200, body: JSON.stringify([null, 5, 'x', [], { number: 'x' }, {}]) });
    await start();
    await settled();
    expect(await numbers()).toEqual([1, 3, 4, 5, 6]);
  });

  test('it can be turned off and deleted; the schedule asks only where it is on', async () => {
    await enable();
    await settled();
    const run = async () => {
      const context = {
        signal: AbortSignal.timeout(60_000),
        attempt: 1,
        isClaimed: async () => true,
        isCancelled: async () => false,
      };
      await issueScheduleJob(app.deps).run({}, context);
      await settled();
    };
    const age = async () => {
      const started_at = new Date(Date.now() - 2 * 3600_000);
      await app.deps.db.updateTable('issue_imports').set({ started_at }).execute();
    };
    host.calls.length = 0;
    await run();
    expect(host.calls).toEqual([]);
    await age();
    await run();
    expect(host.calls.length).toBeGreaterThan(0);
    await app.call(issueRoutes.configure, { params, body: { enabled: false } }, ada);
    host.calls.length = 0;
    await age();
    await run();
    expect(host.calls).toEqual([]);
    expect(await numbers()).toEqual([1, 3, 4, 5, 6]);
    await app.call(issueRoutes.clear, { params }, ada);
    expect(await status()).toMatchObject({ enabled: false, issues: 0, pull_requests: 0 });
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50);
}
