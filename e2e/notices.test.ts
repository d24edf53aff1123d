import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { accessibilityFaults, openBrowser, openPage } from './browser.ts';
import { buildLedger, FIX, raiseError } from './ledger.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';

let repository: TestRepository;
let gitServer: GitServer;
let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];
let accessToken: string;
let projectId: string;

beforeAll(async () => {
  repository = await buildLedger();
  gitServer = await serveRepositories(repository.folder);
  product = await startProduct({ allowedHosts: [gitServer.host] });
  browser = await openBrowser(inject('chromium'));
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  accessToken = (await post('/auth/register', account)).access_token!;
  ({ page, faults } = await signedIn({ viewport: { width: 1440, height: 900 } }));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await gitServer?.close();
  await repository?.remove();
});

async function post(path: string, body: unknown): Promise<Record<string, string>> {
  const response = await fetch(`${product.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  });
  expect(response.ok, path).toBe(true);
  return (await response.json()) as Record<string, string>;
}

async function signedIn(options: Parameters<Browser['newContext']>[0]) {
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce', ...options });
  await context.addInitScript((token) => localStorage.setItem('access_token', token), accessToken);
  return await openPage(context);
}

async function see(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function expectAccessible(): Promise<void> {
  expect.soft(await accessibilityFaults(page)).toEqual([]);
}

const bell = (name: string | RegExp) => page.getByRole('banner').getByRole('link', { name });

test('without a project and without news, the pages say so', async () => {
  await page.goto('/history');
  await see('Select a project to view history.');
  await page.goto('/notifications');
  await see('No notifications');
  await bell(/^Notifications$/).hover();
  await see('No new notifications');
  await see("You're all caught up!");
  await expectAccessible();
  await page.keyboard.press('Escape');
  expect(await page.getByText('No new notifications').count()).toBe(0);
});

test('the bell counts while the page is open', async () => {
  const gitUrl = `${gitServer.url}/${repository.name}`;
  projectId = (await post('/projects', { name: 'Ledger', git_url: gitUrl })).id!;
  await bell('Notifications, 1 unread').waitFor();
  await see('Ledger is ready');
  await post('/projects', { name: 'Gone', git_url: `${gitServer.url}/missing.git` });
  await bell('Notifications, 2 unread').focus();
  await see('2 unread');
  await see('There is no repository at this URL, or it is private.');
  await expectAccessible();
});

test('a notification is deleted, brought back, read, and followed', async () => {
  await page.getByRole('button', { name: 'Delete: Gone could not be indexed' }).click();
  await bell('Notifications, 1 unread').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await bell('Notifications, 2 unread').waitFor();
  await page.getByRole('button', { name: 'Mark as read: Gone could not be indexed' }).click();
  await bell('Notifications, 1 unread').waitFor();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await bell(/^Notifications$/).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Ledger is ready' }).getByText('View details').click();
  await page.waitForURL(`**/projects/${projectId}`);
});

test('the history shows commits, and feedback with its session', async () => {
  await post('/debug/rag', { error_message: await raiseError(repository), project_id: projectId });
  await post('/history/feedback', {
    debug_query_id: 1,
    helpful: false,
    comments: 'Solution needs improvement',
  });
  await page.goto(`/history?project_id=${projectId}`);
  await see('15 commits');
  await see(FIX);
  await expectAccessible();
  await page.getByRole('tab', { name: 'Feedback' }).click();
  await see('1 response');
  await see('Solution needs improvement');
  await expectAccessible();
  await page.getByRole('link', { name: /^TypeError/ }).click();
  await page.waitForURL('**/debug/*');
});

test('the search box finds while typing, by keyboard', async () => {
  const box = page.getByRole('combobox', { name: 'Search' });
  await page.keyboard.press('Control+k');
  await box.fill('amount');
  await page.getByRole('option', { name: /parseAmount/ }).waitFor();
  await expectAccessible();
  await box.press('ArrowDown');
  await box.press('Enter');
  await page.waitForURL(/\/files\/src\/read\/amount\.js\?ref=\w+#L1/);
  await box.fill('crash on lines');
  await page.getByRole('option', { name: FIX }).click();
  await page.waitForURL('**/commits/*');
  await box.fill('ledger');
  await page.getByRole('option', { name: /^Ledger/ }).waitFor();
  await box.press('Enter');
  await page.waitForURL(`**/search?q=ledger&project_id=${projectId}`);
});

test('by touch the bell opens first, and leads on with the second tap', async () => {
  const phone = await signedIn({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await phone.page.goto('/debug');
  const link = phone.page.getByRole('link', { name: /^Notifications$/ });
  await link.tap();
  await phone.page.getByText('No new notifications').waitFor();
  expect(new URL(phone.page.url()).pathname).toBe('/debug');
  await link.tap();
  await phone.page.waitForURL('**/notifications');
  expect(phone.faults).toEqual([]);
});

test('nothing broke on the way', () => {
  expect(faults).toEqual([]);
});
