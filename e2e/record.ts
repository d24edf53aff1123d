import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { serveRepositories } from '#git/testing.ts';
import { openBrowser, openPage } from './browser.ts';
import { callApi, PASSWORD, type Product, startProduct } from './product.ts';

/**
 * Records the replies behind the five pages of the landing page: the running program, a clone of expressjs/express as it was on
 * 16 Nov 2021, and an error that this version raises. Run
 * `npm run build && CHROMIUM=/usr/bin/chromium node e2e/record.ts --repository DIR` and review the difference.
 */
const FILE = new URL('../src/web/site/recorded-replies.json', import.meta.url);
const REVISION = '9dd0e7afdb6d022e18add1e009c4e3a66258c1fa';
/** Raised by `res.json(undefined)` with the setting "json escape"; express 4.17.2 fixed it in f275e87. */
const ERROR = `TypeError: Cannot read properties of undefined (reading 'replace')
    at stringify (/srv/api/node_modules/express/lib/response.js:1131:17)
    at ServerResponse.json (/srv/api/node_modules/express/lib/response.js:260:14)
    at /srv/api/server.js:9:7
    at Layer.handle [as handle_request] (/srv/api/node_modules/express/lib/router/layer.js:95:5)
    at next (/srv/api/node_modules/express/lib/router/route.js:137:13)`;
const QUESTIONS = [
  'Why does res.json escape characters, and since when?',
  'Which files change together with lib/response.js?',
];
const BACKTEST_FIXES = 50;

/** Replies that no recorded page shows. */
const NOT_SHOWN = /^\/api\/(?:auth|notifications|projects$)/;

const { values } = parseArgs({ options: { repository: { type: 'string' } } });
if (!values.repository) throw new Error('--repository names the folder of a clone of expressjs/express');
const folder = await mkdtemp(join(tmpdir(), 'hindsight-record-'));
cloneAt(values.repository, join(folder, 'express'));
const server = await serveRepositories(folder);
const product = await startProduct({ allowedHosts: [server.host] });
const browser = await openBrowser(process.env.CHROMIUM ?? 'chromium');
try {
  const recording = await record(product);
  await writeFile(FILE, `${JSON.stringify(recording, null, 1)}\n`);
} finally {
  await browser.close();
  await product.stop();
  await server.close();
  await rm(folder, { recursive: true });
}

/** Clones a repository as it was: one branch, and only the tags that the revision contains. */
function cloneAt(repository: string, target: string): void {
  const git = (...options: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${options.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  git('clone', '-q', '--bare', '--single-branch', repository, target);
  const branch = git('-C', target, 'symbolic-ref', 'HEAD');
  git('-C', target, 'update-ref', branch, REVISION);
  const later = git('-C', target, 'tag', '--no-merged', REVISION).split('\n').filter(Boolean);
  if (later.length > 0) git('-C', target, 'tag', '-d', ...later);
}

async function record({ url }: Product) {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const signedUp = await callApi({ url }, ['POST', '/auth/register'], { token: '', body: account });
  const token = String(signedUp.access_token);
  const call = (method: string, path: string, body?: unknown) =>
    callApi({ url }, [method, path], { token, body });
  const { id } = await call('POST', '/projects', { name: 'express', git_url: `${server.url}/express` });
  await until(async () => {
    const project = await call('GET', `/projects/${id}`);
    if (project.failure) throw new Error(JSON.stringify(project.failure));
    return project.status === 'ready' && project.activity === null;
  });
  await call('POST', '/debug', { error_message: ERROR, project_id: id });
  const { sessions } = (await call('GET', '/debug/sessions')) as { sessions: { id: string }[] };
  for (const message of QUESTIONS)
    await call('POST', `/chat/projects/${id}/messages`, { message, use_chat_history: false });
  await call('POST', `/projects/${id}/backtest`, { fixes: BACKTEST_FIXES });
  await until(async () => {
    const { backtest } = (await call('GET', `/projects/${id}/backtest`)) as { backtest: { state: string } };
    return backtest.state !== 'running';
  });
  const { scope } = (await call('GET', `/projects/${id}/evolution`)) as { scope: { first_day: string } };
  const session = `/debug/${sessions[0]?.id}`;
  const project = `/projects/${id}`;
  const paths = {
    answer: session,
    commit: `${project}/commits/715401478516c39ea9b2f855d4109d7d6e1131e0`,
    chat: `${project}/chat`,
    evolution: `${project}/evolution?from=${scope.first_day}`,
    trust: `${project}/trust`,
  };
  const replies = await recordReplies(url, token, Object.values(paths));
  return { recorded_at: new Date(), error: ERROR, paths, replies };
}

/** Opens each page as the signed-in user and keeps every reply that it shows, by its path. */
async function recordReplies(url: string, token: string, paths: string[]) {
  const replies: Record<string, unknown> = {};
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 4_000 } });
  await context.addInitScript((value) => localStorage.setItem('access_token', value), token);
  await context.addCookies([{ name: 'signed_in', value: '1', url }]);
  const { page } = await openPage(context);
  page.on('response', async (response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith('/api/') || NOT_SHOWN.test(pathname) || !response.ok()) return;
    replies[pathname + search] = await response.json().catch(() => undefined);
  });
  for (const path of paths) {
    await page.goto(path);
    await settle(page);
  }
  await context.close();
  return Object.fromEntries(Object.entries(replies).sort(([a], [b]) => a.localeCompare(b)));
}

/** The age of code is measured in the background and asked for again until it is complete. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await until(async () => (await page.locator('#page .spinner').count()) === 0);
  await page.waitForTimeout(1_000);
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 500));
}
