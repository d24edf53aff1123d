import { mkdir, readdir, readFile } from 'node:fs/promises';
import { matchPath } from 'react-router';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPage } from './browser.ts';
import { raiseError } from './ledger.ts';
import { startSweep } from './page-sweep.ts';
import { listPages, type PageEntry } from './pages.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Folder that pictures of all pages are written to, if any. */
const { SHOTS } = process.env;

/** About four minutes beside another test on two cores. */
const SWEEP_TIMEOUT_MS = 600_000;

let workspace: Workspace;
let pages: PageEntry[];

beforeAll(async () => {
  workspace = await openWorkspace();
  const { call, gitUrl: url } = workspace;
  const project = await workspace.connect();
  const question = { error_message: await raiseError(workspace.repository), project_id: project };
  // The second report has an earlier one.
  await call('POST', '/debug', question);
  const { id } = await call('POST', '/debug', question);
  const { commits } = (await call('GET', `/projects/${project}/commits`)) as { commits: { hash: string }[] };
  const commit = commits[0]!.hash;
  await importIssue(project, commit);
  const [answers, error] = await Promise.all([askTwice(project), receiveError(project, commit)]);
  const { id: team } = await call('POST', '/teams', { name: 'Platform' });
  const ids = { project, session: id as string, answers, error, commit, team: team as string };
  pages = listPages({ ...ids, gitUrl: url });
  if (SHOTS) await mkdir(SHOTS, { recursive: true });
});

afterAll(async () => {
  await workspace?.close();
});

/** Asks the chat, and the same question at a release; returns both answers. */
async function askTwice(project: string): Promise<[string, string]> {
  const messages = `/chat/projects/${project}/messages`;
  const question = { message: 'Who wrote src/total.js?', project_id: project };
  const { id } = await workspace.call('POST', messages, question);
  const again = await workspace.call('POST', `${messages}/${id}/regenerate`, { revision: 'v1.0' });
  return [id as string, again.id as string];
}

/** Imports a pull request that the newest commit merged. */
async function importIssue(project: string, commit: string): Promise<void> {
  const request = { kind: 'pull_request', number: 7, title: 'Read amounts with a comma', state: 'merged' };
  const body = 'Amounts of **Germany** fail, see #6:\n\n```\nparseAmount("1,50")\n```';
  const labels = ['bug', 'a-label-that-is-long-enough-to-be-cut-off-on-a-small-screen'];
  const file = JSON.stringify({ ...request, body, labels, merge_commit: commit, author: 'kim' });
  await workspace.call('POST', `/projects/${project}/issues/import`, file);
}

/** Sends a test run, and an error event of a release; returns the error. */
async function receiveError(project: string, commit: string): Promise<string> {
  const { call } = workspace;
  const failure = '<failure message="12 != 13">at totals (src/total.js:4:3)</failure>';
  const report = `<testsuite name="unit"><testcase classname="ledger" name="adds up">${failure}</testcase></testsuite>`;
  await call('POST', `/projects/${project}/test-runs?commit=${commit}&suite=unit`, report);
  await call('POST', `/projects/${project}/releases`, { version: '1.0.0', commit: 'v1.0' });
  await call('POST', `/projects/${project}/intake`, {});
  await call('POST', `/projects/${project}/intake/test`);
  return await vi.waitUntil(
    async () => {
      const { errors } = await call('GET', `/projects/${project}/errors`);
      return (errors as { id: string; title: string }[]).find(({ title }) => title.startsWith('TestEvent'))
        ?.id;
    },
    { timeout: 60_000 },
  );
}

test('every path of the router is among the pages', async () => {
  const features = new URL('../src/web/', import.meta.url);
  const files = (await readdir(features, { recursive: true })).filter((file) => file.endsWith('/routes.tsx'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, features), 'utf8')));
  // Built for development only, and seen by `payments.test.ts`: without a payment there is no invoice.
  const others = ['/design', '/billing/invoices/:id'];
  const paths = texts
    .flatMap((text) => text.match(/(?<=path: ')\/[^']*/g) ?? [])
    .filter((path) => !others.includes(path));
  expect(paths.length).toBeGreaterThan(25);
  const shown = pages.map(({ url }) => url.replace(/[?].*/, ''));
  expect(paths.filter((path) => !shown.some((url) => matchPath(path, url)))).toEqual([]);
});

test(
  'no page scrolls sideways, violates a rule of accessibility or reports an error, at any size in both themes',
  async () => {
    const { browser, page, faults, product } = workspace;
    const visitor = await openPage(
      await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' }),
    );
    const sweeps = {
      user: await startSweep(page, faults, SHOTS),
      visitor: await startSweep(visitor.page, visitor.faults, SHOTS),
    };
    const sweep = async (who: PageEntry['who']) => {
      const violations: string[] = [];
      for (const entry of pages.filter((one) => one.who === who))
        violations.push(...(await sweeps[who].visit(entry)));
      return violations;
    };
    expect((await Promise.all([sweep('user'), sweep('visitor')])).flat()).toEqual([]);
  },
  SWEEP_TIMEOUT_MS,
);
