import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Page;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  const { id } = await workspace.call('POST', '/projects', { name: 'Ledger', git_url: workspace.gitUrl });
  await workspace.untilReady(id as string);
});

afterAll(async () => {
  await workspace?.close();
});

const query = () => page.getByRole('combobox', { name: 'Query' });
/** Waits until the address has this parameter. */
const expectAddress = (name: string, value: string) =>
  expect.poll(() => new URL(page.url()).searchParams.get(name)).toBe(value);

test('examples lead into a search, filters complete by keyboard, and a wrong one is explained in place', async () => {
  await page.goto('/search');
  await page.getByRole('link', { name: /Functions and types by name/ }).waitFor();
  await workspace.expectAccessible();
  await page.keyboard.press('/');
  await query().pressSequentially('la');
  await page.getByRole('option', { name: /^lang:/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await query().pressSequentially('java');
  await page.getByRole('option', { name: /^javascript/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await query().pressSequentially('parseAmount date:soon');
  await page.keyboard.press('Enter');
  await workspace.see(/“soon” is not a date or period/);
  await page.getByRole('button', { name: 'Remove filter' }).last().click();
  await page.getByRole('list', { name: 'Results' }).waitFor();
  await expectAddress('q', 'lang:javascript parseAmount');
});

test('keys go through the results, the preview follows, and the address keeps it all', async () => {
  // Also after a first try that ended elsewhere.
  await page.goto(`/search?q=${encodeURIComponent('lang:javascript parseAmount')}`);
  await page.getByRole('list', { name: 'Results' }).waitFor();
  await query().press('Escape');
  await page.keyboard.press('j');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('return', { exact: false }).first().waitFor();
  await workspace.expectAccessible();
  await page.keyboard.press('j');
  await expectAddress('at', '1');
  await page.reload();
  await preview.waitFor();
  await page.getByRole('separator', { name: 'Resize preview' }).press('ArrowLeft');
  await page.getByRole('link', { name: /^Changes/ }).click();
  await workspace.see('doesn’t apply to Changes');
  await page.getByRole('button', { name: 'Remove filter' }).first().click();
  await workspace.see('Simplify the parsing of amounts');
  await page.goBack();
  await page.goBack();
  await preview.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => preview.count()).toBe(0);
});

test('a revision is picked beside the query, and the address keeps it', async () => {
  const picker = (name: RegExp) => page.getByRole('button', { name });
  await page.goto('/search?q=parseAmount');
  await picker(/^Revision: main [0-9a-f]{7}$/).click();
  await page.getByRole('option', { name: /^v1\.0/ }).click();
  await workspace.see(/in Ledger @ [0-9a-f]{7}/);
  await expectAddress('q', 'rev:v1.0 parseAmount');
  await workspace.expectAccessible();
  await page.getByLabel(/^Revision: v1\.0$/).click();
  await page.getByRole('option', { name: /^main/ }).click();
  await workspace.see('in Ledger @ main');
  await expectAddress('q', 'parseAmount');
});

test('a search is saved, opened from the start and deleted with undo', async () => {
  await page.getByRole('button', { name: 'Save search' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Amounts');
  await page.keyboard.press('Enter');
  await workspace.see('Saved “Amounts”');
  await page.goto('/search');
  await page.getByRole('link', { name: 'Amounts' }).click();
  await page.getByRole('list', { name: 'Results' }).waitFor();
  await page.getByRole('button', { name: 'Delete “Amounts”' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Amounts' }).waitFor();
  expect(workspace.faults).toEqual([]);
});
