import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { testRunRoutes } from '#contract/test-runs.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;
let commits: string[];

beforeAll(async () => {
  served = await serveShop();
  app = await openShopApp(served);
  const { shop } = served;
  // Oldest first; all are on the default branch.
  commits = [shop.fix, shop.revertedFix, shop.revert, shop.refix, shop.culprit];
});
afterAll(async () => {
  await app.close();
  await served.close();
});

const report = (outcomes: Record<string, string>) =>
  `<testsuite name="unit">${Object.entries(outcomes)
    .map(([name, outcome]) => {
      const failure =
        outcome === 'f' ? `<failure message="no ${name}">at ${name} (src/money.js:2:3)</failure>` : '';
      return `<testcase classname="shop" name="${name}">${failure}</testcase>`;
    })
    .join('')}</testsuite>`;

async function upload(
  commit: string,
  body: string | Buffer,
  query: Record<string, string> = {},
  token = app.ada.accessToken,
) {
  return await app.app.inject({
    method: 'POST',
    url: `/api/projects/${app.project.id}/test-runs`,
    query: { commit, suite: 'unit', branch: 'main', ...query },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
    payload: body,
  });
}

const list = async (state?: 'passing' | 'failing') =>
  (
    await app.call(
      testRunRoutes.tests,
      { params: { id: app.project.id }, query: state ? { state } : {} },
      app.ada,
    )
  ).body;

test('uploaded runs tell flaky from broken tests, with the range of commits', async () => {
  const runs = ['ppp', 'ppp', 'pfp', 'ppf', 'pff'];
  const names = ['stable', 'wobbly', 'rounds'];
  for (const [at, outcomes] of runs.entries()) {
    const results = Object.fromEntries(names.map((name, index) => [name, outcomes[index]!]));
    const reply = await upload(commits[at]!, report(results));
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({ commit: commits[at], suite: 'unit', branch: 'main' });
  }
  // The failing test of the third commit passed when it was run again.
  await upload(commits[2]!, report({ wobbly: 'p' }));
  const { tests, total, runs: count } = await list();
  expect([total, count]).toEqual([2, 6]);
  expect(tests.find(({ name }) => name === 'rounds')).toMatchObject({
    ...{ state: 'broken', branch: 'main', good: commits[2], bad: commits[3] },
    last_failure: { commit: commits[4], text: expect.stringContaining('src/money.js:2:3') },
  });
  expect(tests.find(({ name }) => name === 'wobbly')).toMatchObject({ state: 'flaky', mixed: [commits[2]] });
  const { body } = await app.call(testRunRoutes.list, { params: { id: app.project.id }, query: {} }, app.ada);
  expect(body.runs[0]).toMatchObject({ passed: 1, failed: 0 });
  expect(body.runs[1]).toMatchObject({ passed: 1, failed: 2 });
});

test('commits that the repository lacks are ordered by their upload', async () => {
  const unknown = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
  const query = { suite: 'fork', branch: 'fork' };
  await upload(unknown[0]!, report({ x: 'p' }), query);
  await upload(unknown[1]!, report({ x: 'f' }), query);
  await upload(unknown[2]!, report({ x: 'f' }), query);
  const found = (await list()).tests.find(({ suite }) => suite === 'fork');
  expect(found).toMatchObject({ state: 'broken', good: unknown[0], bad: unknown[1], branch: 'fork' });
});

test('bad reports, commits and callers get a clear error', async () => {
  const [commit] = commits as [string];
  const laughs = '<!DOCTYPE a [<!ENTITY b "ha">]><testsuite><testcase name="&b;"/></testsuite>';
  for (const [body, status, words] of [
    [laughs, 422, 'entities'],
    ['', 422, 'JUnit'],
    ['{"a":1}', 422, 'well-formed'],
    ['<html/>', 422, 'JUnit'],
    [Buffer.alloc(11 * 2 ** 20), 413, ''],
    [`<testsuite>${'<testcase name="\u0001"/>'.repeat(3)}</testsuite>`, 201, ''],
    [Buffer.from([0xff, 0xfe, 0x3c]), 422, ''],
  ] as const) {
    const reply = await upload(commit, body as Buffer, { suite: 'hostile' });
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringContaining(words)]);
  }
  expect((await upload('main', report({ a: 'p' }))).statusCode).toBe(422);
  expect((await upload(commit, report({ a: 'p' }), {}, 'wrong')).statusCode).toBe(401);
  const cleared = await app.call(testRunRoutes.clear, { params: { id: app.project.id } }, app.ada);
  expect(cleared.body).toEqual({ ok: true });
  expect(await list()).toEqual({ tests: [], total: 0, runs: 0 });
  const { events } = (await app.call(auditRoutes.mine, { query: { limit: '2' } }, app.ada)).body;
  expect(events).toMatchObject([
    { event: 'test_runs_deleted', detail: { project: 'Shop' } },
    { event: 'test_run_uploaded', detail: { project: 'Shop', commit: commit.slice(0, 7) } },
  ]);
});
