import { basename, dirname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { createTestCodeHost, HOST_TOKEN, type TestCodeHost } from '#server/branches/testing-code-host.ts';
import { accessibilityFaults, openBrowser, openPage } from './browser.ts';
import { buildLedger, raiseError } from './ledger.ts';
import { callApi, PASSWORD, type Product, startProduct } from './product.ts';

/** From an answered error to a merged pull request: the fix is saved, pushed and proposed, and its merge resolves the error. */

const certificate = makeCertificate();
let repository: TestRepository;
let host: TestCodeHost;
let gitServer: GitServer;
let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];
let token = '';
let projectId: string;

beforeAll(async () => {
  repository = await buildLedger();
  host = createTestCodeHost('gitea', (branch) => repository.head(branch));
  gitServer = await serveRepositories(dirname(repository.folder), {
    tls: certificate,
    receivePack: {},
    answer: (...call) => host.answer(...call),
  });
  product = await startProduct({
    allowedHosts: [gitServer.host],
    settings: { GIT_CA_FILE: certificate.file },
  });
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  token = (await call('POST', '/auth/register', account)).access_token as string;
  const git_url = `${gitServer.url}/${basename(repository.folder)}/${repository.name}`;
  projectId = (await call('POST', '/projects', { name: 'Ledger', git_url })).id as string;
  const isReady = async () => {
    const { status, activity } = await call('GET', `/projects/${projectId}`);
    return status === 'ready' && activity === null;
  };
  await vi.waitUntil(isReady, { timeout: 30_000 });
  browser = await openBrowser(inject('chromium'));
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript((signedIn) => localStorage.setItem('access_token', signedIn), token);
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await gitServer?.close();
  await repository?.remove();
  await certificate.remove();
});

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  return await callApi(product, [method, path], { token, body });
}

async function see(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function expectAccessible(): Promise<void> {
  expect.soft(await accessibilityFaults(page)).toEqual([]);
}

test('the owner allows pushing and stores the API token of the host', async () => {
  await page.goto(`/projects/${projectId}/branches`);
  await see('No branches yet');
  await page.getByRole('switch', { name: /may push branches/ }).check();
  await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Gitea, Forgejo' });
  await page.getByLabel('API token', { exact: true }).fill(HOST_TOKEN);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await see('A token is stored.');
  await expectAccessible();
});

test('a fix is saved from the answer with a message, and says where', async () => {
  const { id } = await call('POST', '/debug', {
    error_message: await raiseError(repository),
    project_id: projectId,
  });
  await page.goto(`/debug/${id}`);
  await page.getByRole('link', { name: 'Open in editor' }).first().waitFor();
  await page.getByRole('link', { name: 'Open in editor' }).first().click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// An entry may have no amount.\n');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Read entries without an amount');
  await page.getByRole('button', { name: 'Show changes' }).click();
  await page.getByText('// An entry may have no amount.').last().waitFor();
  await expectAccessible();
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await see(/Saved \w{7} on hindsight\/ada/);
  await page.goto(`/debug/${id}`);
  await page.getByRole('link', { name: 'Push fix' }).click();
});

test('a push shows what it sends before, and the answer of the git server after', async () => {
  await page.getByLabel('Branch at the git server').fill('fix/amounts');
  await page.getByRole('button', { name: 'Review' }).click();
  await see('1 changed file');
  await see('Without a credential');
  await expectAccessible();
  await page.getByRole('button', { name: 'Push 1 commit' }).click();
  await see(/fix\/amounts was created with \w{7}/);
  await expectAccessible();
});

test('a pull request is drafted from the error, and its merge resolves it', async () => {
  await page.getByRole('dialog').getByRole('button', { name: 'Open pull request' }).click();
  await vi.waitUntil(async () => (await page.getByLabel('Title', { exact: true }).inputValue()) !== '');
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Read entries without an amount');
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toContain('## Error');
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Open pull request' }).click();
  await see('Pull request #7 is open');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await see('Pull request #7 open');

  await repository.switch('main');
  await repository.merge('fix/amounts');
  Object.assign(host.pulls[0]!, { state: 'closed', merged: true });
  const { pull_requests } = await call('GET', `/projects/${projectId}/pull-requests`);
  const [request] = pull_requests as { id: string; session_id: string }[];
  await call('POST', `/projects/${projectId}/pull-requests/${request!.id}/refresh`);
  await page.reload();
  await see('Pull request #7 merged');
  expect((await call('GET', `/debug/sessions/${request!.session_id}`)).state).toBe('solved');
  await page.goto(`/debug/${request!.session_id}`);
  await see('Read entries without an amount');
});

test('no page reported an error', () => {
  expect(faults).toEqual([]);
});
