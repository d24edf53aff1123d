import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Page;
let project: string;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  project = `/projects/${await workspace.connect()}`;
});

afterAll(async () => {
  await workspace?.close();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const link = (name: string | RegExp) => page.getByRole('link', { name });
/** Waits until the page with this address is shown. */
const expectAddress = (part: RegExp) => expect.poll(() => page.url()).toMatch(part);

test('commits are filtered in the address, drawn as a graph, and reviewed file by file', async () => {
  await page.goto(`${project}/commits`);
  await page.getByRole('textbox', { name: 'Author' }).fill('Chris');
  await page.keyboard.press('Enter');
  await expectAddress(/\?author=Chris$/);
  await workspace.see('5 commits');
  await page.reload();
  await workspace.see('5 commits');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('revert');
  await workspace.see('No commit matches these filters.');
  await link('Clear filters').click();
  await link('Show graph').click();
  await link(/^Merge branch 'currencies'/).click();
  await workspace.see('1 file changed');
  await page.getByRole('combobox', { name: 'Compared with parent' }).selectOption('2');
  await expectAddress(/\?parent=2$/);
  await workspace.see('README.md');
  await page.goBack();
  await link(/^Import from the folder/).click();
  await button('Split').click();
  await page.getByRole('checkbox', { name: 'Viewed' }).first().check();
  await workspace.see('1 of 2 files viewed');
  await page.reload();
  await button('Split').and(page.locator('[aria-pressed=true]')).waitFor();
  await workspace.see('1 of 2 files viewed');
  await workspace.expectAccessible();
  const hidden = button('Show more lines');
  const count = await hidden.count();
  await hidden.first().click();
  await expect.poll(() => hidden.count()).toBe(count - 1);
});

test('a file keeps its lines, its name and its view in the address; blame steps back, a slider goes through versions', async () => {
  await page.goto(`${project}/files/`);
  await link(/^src\s*folder$/).click();
  await link(/^read\s*folder$/).click();
  await link('amount.js').click();
  await page.getByRole('link', { name: 'Line 2', exact: true }).click();
  await page.getByRole('link', { name: 'Line 4', exact: true }).click({ modifiers: ['Shift'] });
  await page.getByRole('textbox', { name: 'Find a name' }).fill('parseAmount');
  await page.keyboard.press('Enter');
  await workspace.see(/^\d references$/);
  await expectAddress(/\?symbol=parseAmount#L2-L4$/);
  await page.reload();
  await workspace.see(/^\d references$/);
  await page.getByRole('link', { name: 'Blame', exact: true }).click();
  await link(/^Blame before: Simplify/)
    .first()
    .click();
  await expectAddress(/\?ref=[0-9a-f]{40}&view=blame#L\d$/);
  const views = page.getByRole('navigation', { name: 'Views of the file' });
  await views.getByRole('link', { name: 'History' }).click();
  await page.getByRole('slider', { name: 'Version' }).press('ArrowLeft');
  await page.getByRole('heading', { name: /^Fix crash|^Move|^Rename/ }).waitFor();
  await expectAddress(/view=history&at=[0-9a-f]{12}/);
  await button('Hide whitespace').click();
  await page.getByRole('button', { name: 'Hide whitespace', pressed: true }).waitFor();
  await workspace.expectAccessible();
});

test('the history of a function is labelled, filtered in the address, and opens each change', async () => {
  await page.goto(`${project}/functions/src/read/amount.js?name=parseAmount`);
  await workspace.see(/^Introduced on .* by Ada Lovelace/);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('behavior');
  await expectAddress(/label=behavior/);
  await button('Show change').first().click();
  await page.locator('code', { hasText: 'text.trim()' }).first().waitFor();
  await page.reload();
  await page.getByRole('listitem').filter({ hasText: 'Fixed' }).waitFor();
  await workspace.expectAccessible();
});

test('two revisions are compared, and their release notes edited', async () => {
  await page.goto(`${project}/compare`);
  await page.getByRole('combobox', { name: 'Base' }).fill('v1.0');
  await button('Compare').click();
  await expectAddress(/\/compare\/v1\.0\.\.\.main$/);
  await button(/src\/read\/amount\.js/).click();
  await page.locator('code', { hasText: 'currency' }).first().waitFor();
  await link('Release notes').click();
  const notes = page.getByRole('textbox', { name: 'Draft in Markdown' });
  await notes.fill('# Ours');
  await button('Restore the draft').click();
  await expect.poll(() => notes.inputValue()).toContain('Simplify the parsing of amounts');
  await link('Swap').click();
  await expectAddress(/\/compare\/main\.\.\.v1\.0/);
  await page.goto('/from/https://github.com/nobody/nothing/blob/main/a.js');
  await workspace.see('No project for github.com/nobody/nothing');
});

test('charts narrow to a period and a folder, become tables, are downloaded and lead into the code', async () => {
  await page.goto(`${project}/evolution`);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.waitForURL(/[?]from=2023-01-10/);
  await page.getByText(/\d+ commits by \d+ people since the beginning/).waitFor();
  await workspace.expectAccessible();
  await page.getByLabel('Folder or file').fill('/src/');
  await page.keyboard.press('Enter');
  await page.waitForURL(/path=src$/);
  const hotspots = page.getByRole('region', { name: 'Hotspots', exact: true });
  await hotspots.getByRole('button', { name: 'Table', exact: true }).click();
  const downloads = page.waitForEvent('download');
  await hotspots.getByRole('button', { name: 'Download Hotspots as CSV' }).click();
  const csv = await readFile(await (await downloads).path(), 'utf8');
  expect(csv).toMatch(/^\uFEFFFile,Changes,Fixes,Branches,Lines,Last commit\r\nsrc\/[\w/]+\.js,\d+,/);
  await workspace.expectAccessible();
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
});

test('two answers to one error show side by side', async () => {
  const question = { error_message: await raiseError(workspace.repository) };
  const { id } = await workspace.call('POST', '/debug', {
    ...question,
    project_id: project.replace('/projects/', ''),
  });
  await page.goto(`/debug/${id}`);
  await link('Compare revisions').click();
  await button(/^Revision/).click();
  await page.getByRole('option', { name: /^v1\.0/ }).click();
  await expectAddress(/\/compare\/\w/);
  await workspace.see('differs');
  await workspace.expectAccessible();
  expect(workspace.faults).toEqual([]);
});
