import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pressUntilFocused, pressUntilOn } from './keyboard.ts';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** The main journeys without a pointer: from a repository to a solved error, from a search to a commit, editor, inbox, settings. */

let workspace: Workspace;
let page: Page;
let project: string;

const TITLE = /Cannot read properties of undefined \(reading 'trim'\)/;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
});

afterAll(async () => {
  await workspace?.close();
});

const tabTo = (name: string | RegExp) => pressUntilFocused(page, 'Tab', name);
const press = (key: string) => page.keyboard.press(key);

/** Moves the focus there once it is shown, and presses Enter. */
async function enter(name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  await page.getByRole(role, { name, exact: true }).first().waitFor();
  await tabTo(name);
  await press('Enter');
}

test('a repository is connected on the first empty page, its error answered and resolved', async () => {
  await page.goto('/dashboard');
  await page.getByLabel('Git URL').waitFor();
  await tabTo('Git URL');
  await page.keyboard.type(workspace.gitUrl);
  await enter('Add Your First Project');
  await page.waitForURL(/\/projects\/[\w-]+$/);
  project = new URL(page.url()).pathname;
  await workspace.untilReady(project.split('/').at(-1)!);
  await page.getByLabel('Paste an error').waitFor();
  await tabTo('Paste an error');
  await page.keyboard.insertText(await raiseError(workspace.repository));
  await press('Control+Enter');
  await page.waitForURL(/\/debug\/[\w-]+$/);
  await enter('Resolve');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await enter('Reopen');
  await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
});

// What is typed while the palette loads is not lost.
test('a search leads to a file, its blame, and the commit of a line', async () => {
  await press('Control+k');
  await page.keyboard.type('parseAmount');
  await page
    .getByRole('option', { name: /parseAmount/ })
    .first()
    .waitFor();
  await press('Control+Enter');
  await page.waitForURL(/\/search\?q=.*parseAmount/);
  const hit = 'main a[href*="/files/src/read/amount.js"]';
  await page.locator(hit).first().waitFor();
  // Results that come later may take the place of a focused one.
  await expect
    .poll(async () => {
      if (!page.url().includes('/files/')) {
        await pressUntilOn(page, 'Tab', hit);
        await press('Enter');
      }
      return page.url();
    })
    .toMatch(/\/files\/src\/read\/amount\.js/);
  await enter('Blame', 'link');
  await page.locator('[data-blame]').first().waitFor();
  await tabTo(/\bago$/);
  await press('Enter');
  await page.waitForURL(/\/commits\/[0-9a-f]{40}/);
});

test('a file is opened in the editor, changed, saved and closed', async () => {
  await press('Control+k');
  await page.keyboard.type('@parseAmount');
  await page
    .getByRole('option', { name: /parseAmount/ })
    .first()
    .waitFor();
  await press('Enter');
  await page.waitForURL(/\/files\/src\/read\/amount\.js#L\d/);
  await enter('Open in editor', 'link');
  await page.waitForURL(/\/ide\/.*file=src%2Fread%2Famount\.js/);
  await page.locator('.cm-content[aria-label="src/read/amount.js"]').waitFor();
  await tabTo('src/read/amount.js');
  await press('Control+End');
  await page.keyboard.insertText('// read by hand\n');
  await page.locator('.cm-line', { hasText: 'read by hand' }).waitFor();
  await press('Control+s');
  await workspace.see(/Saved [0-9a-f]{7} on hindsight\/ada/);
  await press('Escape');
  await pressUntilFocused(page, 'Shift+Tab', 'Close editor');
  await press('Enter');
  await page.waitForURL(/\/files\/src\/read\/amount\.js/);
});

test('an error of the inbox is snoozed', async () => {
  await page.goto(`${project}/errors`);
  const row = page.getByRole('link', { name: TITLE });
  await row.waitFor();
  // Keys are heard once the painted page has its listeners.
  await expect
    .poll(async () => {
      await press('j');
      return await row.evaluate((link) => link === document.activeElement);
    })
    .toBe(true);
  await press('s');
  await page.getByRole('dialog', { name: 'Snooze error' }).waitFor();
  await enter('1 day');
  await row.waitFor({ state: 'detached' });
});

test('a setting is changed and saved', async () => {
  await page.goto('/settings');
  const send = page.getByLabel('Send', { exact: true });
  await send.waitFor();
  await tabTo('Send');
  await page.keyboard.type('Every');
  await expect.poll(() => send.inputValue()).toBe('all');
  await enter('Save Changes');
  await workspace.see('Settings saved successfully!');
  expect(workspace.faults).toEqual([]);
});
