import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { accessibilityFaults, openBrowser, openPage } from './browser.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];

const PAGES = [
  '/',
  '/about',
  '/careers',
  '/blog',
  '/features',
  '/pricing',
  '/docs',
  '/privacy-policy',
  '/terms-and-conditions',
  '/refund-and-cancellation',
];

beforeAll(async () => {
  product = await startProduct({ allowedHosts: [] });
  browser = await openBrowser(inject('chromium'));
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

test.each(PAGES)('%s is a finished page: no script, a title of its own, accessible', async (address) => {
  const reply = await page.goto(address);
  expect(reply?.status()).toBe(200);
  expect(await page.locator('script').count()).toBe(0);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/Hindsight/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('every link of the finished pages leads somewhere', async () => {
  const links = new Set<string>();
  for (const address of PAGES) {
    await page.goto(address);
    const anchors = await page.locator('a').all();
    const found = await Promise.all(anchors.map((anchor) => anchor.getAttribute('href')));
    for (const href of found) links.add(new URL(href ?? '', page.url()).href);
  }
  expect(links.size).toBeGreaterThan(PAGES.length);
  for (const link of links) {
    expect(link.startsWith(product.url), link).toBe(true);
    expect((await fetch(link, { headers: { accept: 'text/html' } })).status, link).toBe(200);
  }
});

test('the landing page shows a recorded answer, and one answered question at a time', async () => {
  await page.goto('/');
  await page.getByText('Simplify the parsing of amounts').first().waitFor();
  const open = () => page.locator('details[open] summary').allTextContents();
  expect(await open()).toEqual(['What is Hindsight?']);
  await page.getByText('Is there a free plan?').click();
  expect(await open()).toEqual(['Is there a free plan?']);
});

test('links choose theme and language, for the application too', async () => {
  await page.goto('/about');
  await page.getByRole('link', { name: 'Dark' }).click();
  await page.getByRole('link', { name: 'Français' }).click();
  const root = page.locator('html');
  expect([await root.getAttribute('data-theme'), await root.getAttribute('lang')]).toEqual(['dark', 'fr']);
  expect(new URL(page.url()).pathname).toBe('/about');
  await page.goto('/how-to-use');
  await page.getByRole('heading', { name: 'Mode d’emploi' }).waitFor();
  await page.goto('/about?language=en&theme=light');
});

test('who signs up comes home, finds the way back from a finished page, and sees the landing page after leaving', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('What went wrong?').fill('TypeError: sums is not iterable');
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Find the cause' }).click();
  await page.getByLabel('Which repository is it from?').waitFor();
  expect(await page.getByLabel('What went wrong?').inputValue()).toBe('TypeError: sums is not iterable');

  await page.getByRole('link', { name: 'Dashboard' }).click();
  for (const counter of ['Total Projects', 'Total Commits', 'Solved Errors', 'Active Projects']) {
    await page.getByText(counter, { exact: true }).waitFor();
  }
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.goto('/pricing');
  const line = page.waitForEvent('websocket');
  await page.getByRole('link', { name: 'Open Hindsight' }).click();
  // Leaving while the line is still being opened has it refused, which the browser would call an error.
  await (await line).waitForEvent('framereceived');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Get Started Free' }).waitFor();
});

test('an address that leads nowhere says so, also to programs', async () => {
  const reply = await page.goto('/no/such/page');
  expect(reply?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go home' }).click();
  await page.getByRole('link', { name: 'Get Started Free' }).waitFor();
});

test('nothing went wrong in the pages meanwhile', () => {
  expect(faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
});
