import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goByKeys } from './keyboard.ts';
import { FIX } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Page;
let projectId: string;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  projectId = await workspace.connect();
  await page.goto('/dashboard');
});

afterAll(async () => {
  await workspace?.close();
});

const box = () => page.getByRole('combobox', { name: 'Search' });
const option = (name: string | RegExp) => page.getByRole('option', { name });

/** Opens the palette by its keys and types a text. */
async function type(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await box().fill(text);
}

test('the search box finds while typing, by keyboard', async () => {
  await page.getByPlaceholder('Search projects, commits, or errors...').click();
  await box().fill('amount');
  await option(/parseAmount/).waitFor();
  await workspace.expectAccessible();
  await page.keyboard.press('Escape');
  await type('@parseAmount');
  await option(/parseAmount/)
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/files\/src\/read\/amount\.js#L\d/);
  await type('crash on lines');
  await option(FIX).click();
  await page.waitForURL('**/commits/*');
  await type('ledger');
  await option(/^Ledger/)
    .first()
    .waitFor();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/search\?q=repo%3ALedger\+ledger/);
});

test('visited pages come first; actions of the page and lines have prefixes', async () => {
  await page.goto(`/projects/${projectId}/files/src/read/amount.js`);
  await page.getByRole('button', { name: /^Wrap/ }).waitFor();
  await type('>wrap');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Wrap/, pressed: false }).waitFor();
  await type(':3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#L3$/);
  const visited = () => page.evaluate(() => localStorage.getItem('recent_pages'));
  await expect.poll(visited).toContain('/files/src/read/amount.js');
  // The page that is open is not among them.
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await type('');
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: /amount\.js/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
});

test('a revision is picked and stays in the address', async () => {
  await page.goto(`/projects/${projectId}/files/src/read/amount.js`);
  await page.getByRole('button', { name: /^Revision/ }).click();
  await page.getByRole('group', { name: 'Recent commits' }).getByRole('option').nth(1).click();
  await page.waitForURL(/\?ref=[0-9a-f]{40}/);
  await page.reload();
  await page.getByRole('button', { name: /^Revision: [0-9a-f]{7}$/ }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Revision: main' }).waitFor();
});

test('the palette opens above the editor; ? lists the keys, g goes, and both can be turned off', async () => {
  await page.goto(`/ide/${projectId}?file=src/read/amount.js`);
  await page.locator('.cm-content').click();
  await type('report');
  await option(/report/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await goByKeys(page, 'p', /\/projects$/);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await workspace.expectAccessible();
  await page.getByRole('switch', { name: 'Shortcuts without Ctrl or ⌘' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  expect(new URL(page.url()).pathname).toBe('/projects');
  expect(workspace.faults).toEqual([]);
});
