import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { goByKeys, pressUntilFocused as pressUntilFocusedOn } from './keyboard.ts';
import { buildLedger, FIX, REGRESSION, raiseError } from './ledger.ts';
import { PASSWORD, type Product, startProduct } from './product.ts';

let repository: TestRepository;
let gitServer: GitServer;
let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  repository = await buildLedger();
  gitServer = await serveRepositories(repository.folder);
  product = await startProduct({ allowedHosts: [gitServer.host] });
  browser = await openBrowser(inject('chromium'));
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    // Colours are judged when nothing moves.
    reducedMotion: 'reduce',
  });
  ({ page, faults } = await openPage(context));
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await gitServer?.close();
  await repository?.remove();
});

async function see(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

const pressUntilFocused = (key: string, name: string) => pressUntilFocusedOn(page, key, name);

async function expectAccessible(): Promise<void> {
  expect.soft(await accessibilityFaults(page)).toEqual([]);
}

test('a visitor who wants to see projects signs up and gets there', async () => {
  await page.goto('/projects');
  await page.waitForURL('**/login?next=%2Fprojects');
  await page.goto('/signup?next=%2Fprojects');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await expectAccessible();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/projects');
  await see('No projects yet');
  await expectAccessible();
});

test('a rejected URL is explained on the page, and nothing is lost', async () => {
  await page.getByLabel('Git URL').fill('https://169.254.169.254/latest');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('latest');
  await page.getByLabel('Name').fill('Ledger');
  await page.getByRole('button', { name: 'Add Your First Project' }).click();
  await see(/is in a private network/);
  // The first account is the administrator; even so, metadata addresses stay blocked.
  await page.getByRole('button', { name: 'Allow 169.254.169.254' }).click();
  await see(/It is never allowed/);
  expect(await page.getByLabel('Name').inputValue()).toBe('Ledger');
  await expectAccessible();
});

test('a repository is connected and watched until it is ready', async () => {
  await page.getByLabel('Git URL').fill(`${gitServer.url}/${repository.name}`);
  await page.getByRole('button', { name: 'Add Your First Project' }).click();
  await page.waitForURL(/\/projects\/[\w-]+$/);
  await see('Ready');
  await see(/\d+ files indexed/);
});

test('tabs are addresses: Back and reload keep them, and another is not found', async () => {
  const overview = page.url();
  const tabs = page.getByRole('navigation', { name: /^Sections of/ });
  await tabs.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Indexed branch').waitFor();
  // A tab is no new page: focus stays on its link.
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Settings');
  await page.reload();
  await page.getByLabel('Indexed branch').waitFor();
  await expectAccessible();
  await tabs.getByRole('link', { name: 'Chat' }).click();
  await page.waitForURL(`${overview}?tab=chat`);
  await page.goBack();
  await page.waitForURL(`${overview}/settings`);
  await page.goto(`${overview}/nothing`);
  await see('Page not found');
  await page.goto(overview);
});

test('commits are read, with authors and files', async () => {
  await see(REGRESSION);
  await see('Chris Weber');
  await expectAccessible();
  await page.getByRole('link', { name: REGRESSION }).first().click();
  await page.waitForURL(/\/commits\/[0-9a-f]{7,}$/);
  await see("const [value, currency = 'EUR'] = text.trim().split(' ');");
  await expectAccessible();
  await page.goBack();
});

test('an error that the repository raises is answered with file, suspect and earlier fix', async () => {
  await page.getByRole('link', { name: 'Debug', exact: true }).click();
  await page.getByLabel('Error message').fill(await raiseError(repository));
  await page
    .getByLabel('Project', { exact: true })
    .selectOption({ label: 'Ledger' })
    .catch(async () => {
      await page.getByLabel('Project', { exact: true }).click();
      await page.getByRole('option', { name: 'Ledger' }).click();
    });
  await expectAccessible();
  await page.getByRole('button', { name: 'Find Solution' }).click();
  await page.waitForURL(/\/debug\/[\w-]+$/);
  const answer = page.getByRole('main');
  await answer.getByText('Was this solution helpful?').waitFor();
  // Details follow once their script is loaded.
  for (const part of ['src/read/amount.js', REGRESSION, FIX])
    await expect.poll(() => answer.textContent()).toContain(part);
  await expectAccessible();
});

test('a citation opens the very lines beside the answer, and the file behind them', async () => {
  const session = page.url();
  await page
    .getByRole('link', { name: /src\/read\/amount\.js/ })
    .first()
    .click();
  const evidence = page.getByRole('dialog');
  await evidence.getByText('export function parseAmount(text)').waitFor();
  await expectAccessible();
  await evidence.getByRole('link', { name: 'Open file' }).click();
  await page.waitForURL(/\/files\/src\/read\/amount\.js/);
  await see('export function parseAmount(text)');
  await expectAccessible();
  await page.goto(session);
});

test('feedback is saved, and the session is found again after a reload', async () => {
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await see('Thanks for your feedback!');
  await page.goto('/debug');
  // A helpful answer solves its error.
  await page.getByRole('button', { name: /^Solved/ }).click();
  await page.waitForURL(/state=solved/);
  await page.reload();
  const row = page.getByRole('link', { name: /Cannot read properties of undefined/ }).first();
  await row.waitFor();
  await row.click();
  await page.waitForURL(/\/debug\/[\w-]+$/);
  await see(REGRESSION);
  await see('Thanks for your feedback!');
});

test('keys alone sign out and in, paste an error on Home, and open its line in the editor', async () => {
  await pressUntilFocused('Tab', 'Logout');
  await page.keyboard.press('Enter');
  // Signing out loads the landing page.
  await page.getByRole('link', { name: 'Get Started Free' }).first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  await page.goto('/login');
  await pressUntilFocused('Tab', 'Email or username');
  await page.keyboard.type('ada@example.org');
  await pressUntilFocused('Tab', 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await pressUntilFocused('Tab', 'What went wrong?');
  await page.keyboard.insertText(await raiseError(repository));
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/debug\/[\w-]+$/);
  const answer = page.url();
  await page.getByText('Was this solution helpful?').waitFor();
  await pressUntilFocused('Tab', 'Open in editor');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/ide\/.*file=src%2Fread%2Famount\.js/);
  const editor = page.getByRole('dialog');
  await editor.getByText('parseAmount').first().waitFor();
  // Tab indents in the text, except after Escape.
  await pressUntilFocused('Shift+Tab', 'src/read/amount.js');
  await page.keyboard.press('Escape');
  await pressUntilFocused('Shift+Tab', 'Close editor');
  await page.keyboard.press('Enter');
  await page.waitForURL(answer);
});

test('keys alone share the answer, ask in the chat, and reach the branches', async () => {
  await pressUntilFocused('Tab', 'More copy options');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  await pressUntilFocused('ArrowDown', 'Copy link');
  await page.keyboard.press('Enter');
  await see('Copied');
  await pressUntilFocused('Shift+Tab', 'Ledger');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/projects\/[\w-]+$/);
  // The keys are those of the page that is shown, not of the address alone.
  await page.getByLabel('Paste an error').waitFor();
  await goByKeys(page, 'c', /\/chat/);
  await pressUntilFocused('Tab', 'Message your project...');
  await page.keyboard.type('Who knows src/read/amount.js best?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Regenerate' }).waitFor();
  await pressUntilFocused('Shift+Tab', 'Back to project');
  await goByKeys(page, 'b', /\/branches$/);
  await pressUntilFocused('Tab', 'Open editor');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/ide\//);
});

test('nothing went wrong in the page meanwhile', () => {
  // Rejected URLs and hosts and the page that is not there, which browsers report as errors of the page.
  expect(faults.filter((fault) => !/status of 4(?:00|04|22)/.test(fault))).toEqual([]);
});
