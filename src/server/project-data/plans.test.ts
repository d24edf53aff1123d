import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRoutes } from '#contract/payments.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const RAZORPAY = {
  keyId: 'rzp_test_1',
  keySecret: 'secret',
  webhookSecret: null,
  apiUrl: 'http://127.0.0.1:9',
  checkoutUrl: 'http://127.0.0.1:9/checkout.js',
};
const LIMITS = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
const DAY_MS = 24 * 3600_000;
/** Dates of git have whole seconds. */
const MIDNIGHT = new Date().setUTCHours(0, 0, 0, 0);

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let id: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const daysAgo = (days: number) => new Date(MIDNIGHT - days * DAY_MS).toISOString();
    // Years old, then half a year, then this month.
    for (let index = 0; index < 3; index++) await commit(repo, index, daysAgo(800 - index));
    for (let index = 3; index < 8; index++) await commit(repo, index, daysAgo(200 - index));
    for (let index = 8; index < 106; index++) await commit(repo, index, daysAgo(1));
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { ...LIMITS, allowedPrivateHosts: [gitServer.host] };
  app = await testApp({ work: true, config: { git, razorpay: RAZORPAY } });
  ada = await app.signUp();
  const body = { name: 'Old', git_url: `${gitServer.url}/${repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

async function commit(repo: TestRepository, index: number, date: string): Promise<void> {
  await repo.commit({ author: 'Ada', date, message: `Change ${index}`, files: { 'a.txt': `${index}\n` } });
}

async function list(skip = '0') {
  const query = { skip, limit: '200' };
  return (await app.call(projectRoutes.commits, { params: { id }, query }, ada)).body;
}

test('a repository of 106 commits is indexed', async () => {
  const status = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body.status;
  await expect.poll(status, { timeout: 60_000 }).toBe('ready');
});

test('Free shows 100 commits, although fewer are from the last 30 days, and the number of hidden ones', async () => {
  const page = await list();
  expect(page).toMatchObject({ total: 100, hidden_by_plan: 6, has_more: false });
  expect(page.commits).toHaveLength(100);
  expect((await list('100')).commits).toEqual([]);
});

test('Pro shows a year, and so does a trial', async () => {
  await app.call(paymentRoutes.trial, {}, ada);
  expect(await list()).toMatchObject({ total: 103, hidden_by_plan: 3 });
});

test('Enterprise shows everything', async () => {
  await app.deps.db
    .updateTable('users')
    .set({ subscription_plan: 'enterprise' })
    .where('id', '=', ada.id)
    .execute();
  expect(await list()).toMatchObject({ total: 106, hidden_by_plan: 0 });
});
