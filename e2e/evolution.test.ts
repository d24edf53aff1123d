import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { accessibilityFaults, openBrowser, openPage } from './browser.ts';
import { buildLedger } from './ledger.ts';
import { callApi, PASSWORD, type Product, startProduct } from './product.ts';

let repository: TestRepository;
let gitServer: GitServer;
let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];
let projectId: string;

beforeAll(async () => {
  repository = await buildLedger();
  gitServer = await serveRepositories(repository.folder);
  product = await startProduct({ allowedHosts: [gitServer.host] });
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const signedIn = await callApi(product, ['POST', '/auth/register'], { token: '', body: account });
  const token = signedIn.access_token as string;
  const body = { name: 'Ledger', git_url: `${gitServer.url}/${repository.name}` };
  projectId = (await callApi(product, ['POST', '/projects'], { token, body })).id as string;
  const isReady = async () =>
    (await callApi(product, ['GET', `/projects/${projectId}`], { token })).status === 'ready';
  await vi.waitUntil(isReady, { timeout: 60_000 });
  browser = await openBrowser(inject('chromium'));
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  await context.addInitScript((value) => localStorage.setItem('access_token', value), token);
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await gitServer?.close();
  await repository?.remove();
});

async function expectAccessible(): Promise<void> {
  expect.soft(await accessibilityFaults(page)).toEqual([]);
}

test('charts narrow to a period and a folder, become tables, are downloaded and lead into the code', async () => {
  await page.goto(`/projects/${projectId}/evolution`);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.waitForURL(/[?]from=2023-01-10/);
  await page.getByText(/\d+ commits by \d+ people since the beginning/).waitFor();
  await expectAccessible();
  await page.getByLabel('Folder or file').fill('/src/');
  await page.keyboard.press('Enter');
  await page.waitForURL(/path=src$/);
  const hotspots = page.getByRole('region', { name: 'Hotspots', exact: true });
  await hotspots.getByRole('button', { name: 'Table', exact: true }).click();
  const downloads = page.waitForEvent('download');
  await hotspots.getByRole('button', { name: 'Download Hotspots as CSV' }).click();
  const csv = await readFile(await (await downloads).path(), 'utf8');
  expect(csv).toMatch(/^\uFEFFFile,Changes,Fixes,Branches,Lines,Last commit\r\nsrc\/[\w/]+\.js,\d+,/);
  await expectAccessible();
  await hotspots
    .getByRole('link', { name: /^src\// })
    .first()
    .click();
  await page.waitForURL(/\/files\/src\//);
  await page.goBack();
  const activity = page.getByRole('application').first();
  await activity.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(/to=2023-/);
  expect(faults).toEqual([]);
});
