import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { LEGAL_PATHS, SITE_PATHS } from './pages.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';

let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];

const PAGES = ['', ...SITE_PATHS, ...LEGAL_PATHS].map((path) => `/${path}`);

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

async function signUp(where: Page, name: string): Promise<void> {
  await where.getByLabel('Username').fill(name);
  await where.getByLabel('Email').fill(`${name}@example.org`);
  await where.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await where.getByRole('checkbox').check();
  await where.getByRole('button', { name: 'Create account' }).click();
}

// `pages.test.ts` checks their accessibility.
test.each(PAGES)('%s is a finished page: no script, a title of its own', async (address) => {
  const reply = await page.goto(address);
  expect(reply?.status()).toBe(200);
  expect(await page.locator('script').count()).toBe(0);
  // Recorded pages are pictures, with headings and links of their own.
  expect(await page.locator('h1:not([inert] *)').count()).toBe(1);
  expect(await page.title()).toMatch(/Hindsight/);
});

test('every link of the finished pages leads somewhere', async () => {
  const links = new Set<string>();
  for (const address of PAGES) {
    await page.goto(address);
    const anchors = await page.locator('a:not([inert] *)').all();
    const found = await Promise.all(anchors.map((anchor) => anchor.getAttribute('href')));
    for (const href of found) links.add(new URL(href ?? '', page.url()).href);
  }
  expect(links.size).toBeGreaterThan(PAGES.length);
  // The recorded project is named with its source; nothing else leads out of the product.
  const [own, others] = [product.url, 'https://github.com/expressjs/express/'].map((start) =>
    [...links].filter((link) => link.startsWith(start)),
  ) as [string[], string[]];
  expect([own.length, others.length]).toEqual([links.size - 3, 3]);
  for (const link of own) {
    expect((await fetch(link, { headers: { accept: 'text/html' } })).status, link).toBe(200);
  }
});

test('the landing page walks through five recorded pages by arrow keys, and nothing below moves', async () => {
  await page.goto('/');
  const pictures = page.getByRole('img', { name: /^Recorded page/ });
  const shown = async () => [await pictures.count(), await pictures.first().innerText()] as const;
  const bottom = () => page.getByRole('heading', { name: 'Features' }).boundingBox();
  const before = await bottom();
  expect((await shown())[1]).toMatch(/lib\/response\.js:1131 fails[\s\S]*Regression[\s\S]*escape json/);
  await page.getByRole('radio', { checked: true }).focus();
  for (const text of ['4 files changed', 'First released in', 'Hotspots', 'How often answers']) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(shown).toEqual([1, expect.stringContaining(text)]);
    await expect.poll(bottom).toEqual(before);
  }
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('the landing page shows one answered question at a time', async () => {
  await page.goto('/');
  const open = () => page.locator('details[name=questions][open] summary').allTextContents();
  expect(await open()).toEqual(['What is Hindsight?']);
  await page.getByText('Is there a free plan?').click();
  await expect.poll(open).toEqual(['Is there a free plan?']);
});

test('links choose theme and language, for the application too', async () => {
  await page.goto('/about');
  await page.getByRole('link', { name: 'Dark' }).click();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('link', { name: 'Français' }).click();
  await page.locator('html[data-theme=dark][lang=fr]').waitFor();
  expect(new URL(page.url()).pathname).toBe('/about');
  await page.goto('/how-to-use');
  await page.getByRole('heading', { name: 'Mode d’emploi' }).waitFor();
  await page.goto('/about?language=en&theme=light');
});

test('who signs up comes home, finds the way back from a finished page, and sees the landing page after leaving', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await signUp(page, 'ada');
  await page.getByLabel('What went wrong?').fill('TypeError: sums is not iterable');
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Find the cause' }).click();
  await page.getByLabel('Which repository is it from?').waitFor();
  await expect
    .poll(() => page.getByLabel('What went wrong?').inputValue())
    .toBe('TypeError: sums is not iterable');

  await page.getByRole('link', { name: 'Dashboard' }).click();
  for (const counter of ['Total Projects', 'Total Commits', 'Solved Errors', 'Active Projects']) {
    await page.getByText(counter, { exact: true }).waitFor();
  }
  expect(await accessibilityFaults(page)).toEqual([]);

  // A part whose script cannot be loaded says so in its place; nothing else of the page is lost.
  await page.route('**/assets/connect-form-*', (route) => route.abort());
  await page.goto('/projects');
  const lost = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded' });
  await lost.waitFor();
  await page.unrouteAll();
  await lost.getByRole('button', { name: 'Retry' }).click();
  await page.getByLabel('Git URL').waitFor();

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

test('without payment keys the checkout ends in the words of the specification', async () => {
  const context = await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' });
  const { page: other } = await openPage(context);
  await other.goto('/signup?next=%2Fsubscription');
  await signUp(other, 'bea');
  await other.waitForURL('**/subscription');
  await other.getByText('All features are included on this server').waitFor();
  await other.getByRole('button', { name: 'Choose Pro' }).click();
  await other.getByRole('button', { name: 'Continue to payment' }).click();
  await other
    .getByRole('dialog')
    .getByText('Payment gateway is not available at the moment. Please try again later.')
    .waitFor();
  const reply = await fetch(`${product.url}/subscription`, { headers: { accept: 'text/html' } });
  expect(reply.headers.get('content-security-policy')).not.toContain('razorpay');
  await context.close();
});

test('nothing went wrong in the pages meanwhile', () => {
  expect(faults.filter((fault) => !/status of 404|ERR_FAILED|ScriptNotLoaded/.test(fault))).toEqual([]);
});
