import { createHmac } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';
import { sentinel } from './sentinels.ts';

const TOKEN = sentinel('ghp_SentinelOfTheBrowser0815');
const WRONG = sentinel('ghp_SentinelThatIsWrong4711');

let repository: TestRepository;
let gitServer: GitServer;
let certificate: ReturnType<typeof makeCertificate>;
let product: Product;
let browser: Browser;
let ada: Page;
let bob: Page;
let faults: string[];
let project: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Fire the kiln', files: { 'kiln.js': 'export const heat = 1240;\n' } });
  });
  certificate = makeCertificate();
  gitServer = await serveRepositories(repository.folder, {
    tls: certificate,
    answer: (request, reply) => {
      const [, shown = ''] = (request.headers.authorization ?? '').split(' ');
      if (Buffer.from(shown, 'base64').toString().endsWith(`:${TOKEN}`)) return false;
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    },
  });
  product = await startProduct({
    allowedHosts: [gitServer.host],
    settings: {
      GIT_CA_FILE: certificate.file,
      GOOGLE_CLIENT_ID: 'hindsight',
      GOOGLE_CLIENT_SECRET: 'sentinel-of-the-google-secret-0815',
    },
  });
  browser = await openBrowser(inject('chromium'));
  ({ page: ada, faults } = await openPage(await contextOf('ada')));
  bob = await (await contextOf('bob')).newPage();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await gitServer?.close();
  await certificate?.remove();
  await repository?.remove();
});

/** Browser context of a user who has just signed up. */
async function contextOf(username: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const account = { username, email: `${username}@example.org`, password: PASSWORD };
  const reply = await context.request.post('/api/auth/register', { data: account });
  const { access_token } = (await reply.json()) as { access_token: string };
  await context.addInitScript((token) => localStorage.setItem('access_token', token), access_token);
  return context;
}

const press = async (name: string, on = ada) => await on.getByRole('button', { name, exact: true }).click();
const see = async (text: string | RegExp, on = ada) => await on.getByText(text).first().waitFor();
const openTab = async (name: string, on = ada) =>
  await on
    .getByRole('navigation', { name: /^Sections of/ })
    .getByRole('link', { name })
    .click();
const openSettings = async () => await openTab('Settings');

test('a private repository is opened by a token, which is tried and never shown', async () => {
  await ada.goto('/projects');
  await ada.getByLabel('Git URL').fill(`${gitServer.url}/${repository.name}`);
  await ada.getByLabel('Name', { exact: true }).fill('Pottery');
  await press('Add Your First Project');
  await see(/There is no repository at this URL, or it is private/);
  await press('Add anyway');
  await ada.waitForURL(/\/projects\/[\w-]+$/);
  project = new URL(ada.url()).pathname;
  await see(/There is no repository at this URL, or it is private/);
  await openSettings();
  await press('Add credential');
  await ada.getByLabel('Access token', { exact: true }).fill(WRONG);
  await ada.getByRole('region', { name: 'Private repository' }).getByRole('button', { name: 'Save' }).click();
  await press('Test connection');
  await see(/The git server does not accept this credential/);
  await press('Replace');
  await ada.getByLabel('Access token', { exact: true }).fill(TOKEN);
  await ada.getByRole('region', { name: 'Private repository' }).getByRole('button', { name: 'Save' }).click();
  await press('Test connection');
  await see('Connection successful. Default branch: main.');
  expect(await ada.content()).not.toContain(TOKEN);
  expect.soft(await accessibilityFaults(ada)).toEqual([]);
});

test('the project is renamed and moved to a reachable URL', async () => {
  const form = ada.getByRole('region', { name: 'Name and URL' });
  await form.getByLabel('Name', { exact: true }).fill('Kiln');
  await form.getByLabel('Git URL').fill(`${gitServer.url}/none.git`);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByLabel('Git URL').fill(`${gitServer.url}/${repository.name}/`);
  await form.getByRole('button', { name: 'Save' }).click();
  await see('Connected. Indexing has started.');
  await ada.getByRole('heading', { level: 1, name: 'Kiln' }).waitFor();
  await openTab('Commits');
  await see('Fire the kiln');
});

test('a code host reports pushes, signed with a secret that is shown once', async () => {
  await openSettings();
  const hooks = ada.getByRole('region', { name: 'Webhooks' });
  await hooks.getByRole('button', { name: 'Generate secret' }).click();
  await see('Copy this secret now.');
  const secret = sentinel(await hooks.getByRole('status').locator('code').innerText());
  const webhookUrl = await hooks.locator('dd code').first().innerText();
  const push = async (key: string) => {
    const body = JSON.stringify({ ref: 'refs/heads/main' });
    const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-github-event': 'push' };
    return await fetch(webhookUrl, {
      method: 'POST',
      headers: { ...headers, 'x-hub-signature-256': signature },
      body,
    });
  };
  expect((await push('another secret')).ok).toBe(false);
  expect((await push(secret)).ok).toBe(true);
  await ada.reload();
  await openSettings();
  await hooks.getByText('refreshed').waitFor();
  expect(await ada.content()).not.toContain(secret);
});

test('a user joins by a link, has the permissions of the role, and is removed', async () => {
  await openSettings();
  await press('Create link');
  const link = await ada.getByText(/\/invitation#/).innerText();
  sentinel(link.split('#')[1]!);
  await bob.goto(link);
  await see(/ada invited you to Kiln as Viewer/, bob);
  expect.soft(await accessibilityFaults(bob)).toEqual([]);
  await press('Join project', bob);
  await bob.waitForURL(`**${project}`);
  await openTab('Settings', bob);
  await see('Members see the code', bob);
  expect(await bob.getByText('Private repository').count()).toBe(0);
  await ada.reload();
  await openSettings();
  await ada.getByLabel('Role of bob').selectOption('editor');
  await press('Remove bob');
  await ada.getByLabel('Role of bob').waitFor({ state: 'detached' });
  await bob.goto(project);
  await see('Project not found', bob);
});

test('a key for programs is shown once, opens what it may, and is revoked', async () => {
  await ada.goto('/settings');
  await press('New key');
  await ada.getByLabel('Name', { exact: true }).fill('Build server');
  await ada.getByRole('button', { name: 'Create key' }).click();
  const key = sentinel(await ada.getByText(/^hs_[\w-]{43}$/).innerText());
  const open = async (path: string) =>
    (await fetch(`${product.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await open('/projects')).toBe(200);
  expect(await open('/auth/sessions')).not.toBe(200);
  // The security log beside it updates immediately.
  await see('API key Build server was created.');
  await ada.reload();
  await see('Build server');
  expect(await ada.content()).not.toContain(key);
  await press('Revoke Build server');
  await ada.getByText('Build server', { exact: true }).waitFor({ state: 'detached' });
  expect(await open('/projects')).toBe(401);
});

test('no page broke, and the policy refused nothing', () => {
  // What the browser itself notes of refused and failed calls is what the pages above showed in words.
  expect(faults.filter((fault) => !/^Failed to load resource/.test(fault))).toEqual([]);
});
