import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Workspace['page'];
let projectId: string;

const AMOUNT = 'src/read/amount.js';
const TOTAL = 'src/total.js';

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  projectId = await workspace.connect();
});
afterAll(() => workspace?.close());

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
const text = (path: string) => page.locator(`.cm-content[aria-label="${path}"]`);
const line = (path: string, words: string) => text(path).locator('.cm-line', { hasText: words });
const item = (name: string) => page.getByRole('menuitem', { name });
const openTab = (name: string) =>
  page.getByRole('list', { name: 'Open files' }).getByRole('button', { name: new RegExp(`^${name}`) });
const savePath = (path: string, body: object) =>
  workspace.call('POST', `/ide/projects/${projectId}/files/${path}`, body);
const readPath = async (path: string, ref = '') =>
  (await workspace.call('GET', `/ide/projects/${projectId}/files/${path}${ref && `?ref=${ref}`}`))
    .content as string;

/** Types a line at the end of the shown file. */
async function typeAtEnd(path: string, words: string): Promise<void> {
  await text(path).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(words);
  await line(path, words.trim()).first().waitFor();
}

test('a hit of the search opens in the editor at its line, and Close returns to the hit', async () => {
  await page.goto(`/search?q=parseAmount&project_id=${projectId}`);
  const hit = page.getByRole('link', { name: /^Open src\/read\/amount\.js:\d.* in the editor$/ }).first();
  await hit.click();
  await page.waitForURL(/\/ide\/.*file=src%2Fread%2Famount\.js&ref=[0-9a-f]{40}#L\d/);
  await page.locator('.cm-activeLine', { hasText: /amount/i }).waitFor();
  await button('Close editor').click();
  await page.waitForURL(/\/search\?q=parseAmount/);
});

test('undo goes back across a save, and a changed hunk is taken back alone', async () => {
  await page.goto(`/ide/${projectId}?file=${AMOUNT}#L2`);
  await typeAtEnd(AMOUNT, '// the end\n');
  await page.keyboard.press('Control+s');
  await workspace.see(/Saved [0-9a-f]{7} on hindsight\/ada/);
  await text(AMOUNT).click();
  await page.keyboard.press('Control+z');
  await line(AMOUNT, '// the end').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+y');
  await line(AMOUNT, '// the end').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('// first\n');
  await typeAtEnd(AMOUNT, '// last\n');
  await page.locator('.cm-changes .cm-change-added').first().click();
  await button('Discard change').first().click();
  await line(AMOUNT, '// first').waitFor({ state: 'detached' });
  await line(AMOUNT, '// last').waitFor();
});

test('open files and unsaved changes are there after a reload; a changed file is merged with its branch', async () => {
  await row('total.js').dblclick();
  await line(TOTAL, 'totals').first().waitFor();
  await page.reload();
  await openTab('amount.js').click();
  await line(AMOUNT, '// last').waitFor();
  await savePath(AMOUNT, { content: (await readPath(AMOUNT)).replace('Reads', 'Takes') });
  await page.keyboard.press('Control+s');
  await workspace.see(/This file changed on your branch/);
  await workspace.see(/merged below without conflicts/);
  await workspace.expectAccessible();
  await button('Save merged version').click();
  await line(AMOUNT, 'Takes an amount').waitFor();
  await expect.poll(() => readPath(AMOUNT)).toMatch(/Takes an amount[\s\S]*\/\/ last\n$/);
  await text(AMOUNT).click();
  await page.keyboard.press('Control+z');
  await line(AMOUNT, 'Reads an amount').waitFor();
  await page.keyboard.press('Control+y');
});

test('the search in all files takes what is typed after its key, and opens a hit', async () => {
  await text(AMOUNT).click();
  const before = await text(AMOUNT).innerText();
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('textbox', { name: 'Find in files' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('parseAmount');
  await page.keyboard.press('Enter');
  await workspace.see(/^\d+ lines? in \d+ files?$/);
  await workspace.expectAccessible();
  expect(await text(AMOUNT).innerText()).toBe(before);
  await page.keyboard.press('Control+Shift+E');
});

test('folders are made, moved with an edited file, and deleted from the menu of the tree by keyboard', async () => {
  await row('src').focus();
  await row('src').press('Shift+F10');
  await item('New folder…').click();
  await page.getByRole('textbox', { name: 'Path' }).fill('src/notes');
  await page.keyboard.press('Enter');
  await row('notes').click({ button: 'right' });
  await item('New file…').click();
  await page.getByRole('textbox', { name: 'Path' }).press('End');
  await page.keyboard.insertText('one.md');
  await page.keyboard.press('Enter');
  await row('one.md').waitFor();
  await typeAtEnd('src/notes/one.md', '# One\n');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readPath('src/notes/one.md')).toBe('# One\n');
  await typeAtEnd('src/notes/one.md', 'unsaved\n');
  await row('notes').focus();
  await row('notes').press('F2');
  await page.getByRole('textbox', { name: 'Path' }).fill('docs/words');
  await page.keyboard.press('Enter');
  await line('docs/words/one.md', 'unsaved').waitFor();
  expect(await readPath('docs/words/one.md')).toBe('# One\n');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readPath('docs/words/one.md')).toBe('# One\nunsaved\n');
  await workspace.expectAccessible();
  await row('docs').focus();
  await row('docs').press('Delete');
  await workspace.see(/Deletes docs and all files in it/);
  await button('Delete').click();
  await row('docs').waitFor({ state: 'detached' });
  await expect(readPath('docs/words/one.md')).rejects.toThrow('404');
});

test('a branch that was deleted while it was edited is made again with all that was typed', async () => {
  const branch = 'fix/gone';
  await savePath(TOTAL, { content: `${await readPath(TOTAL)}// on the branch\n`, branch });
  await page.goto(`/ide/${projectId}?file=${TOTAL}&branch=${encodeURIComponent(branch)}`);
  await line(TOTAL, '// on the branch').waitFor();
  await typeAtEnd(TOTAL, '// typed\n');
  await workspace.call('DELETE', `/projects/${projectId}/branches/${encodeURIComponent(branch)}`);
  await page.keyboard.press('Control+s');
  await workspace.see(/The branch fix\/gone was deleted after you opened this file/);
  await button('Save merged version').click();
  await expect
    .poll(() => readPath(TOTAL, branch).catch(() => ''))
    .toMatch(/\/\/ on the branch\n\/\/ typed\n$/);
});

test('several files are one commit, and one that changed meanwhile is merged first', async () => {
  await page.goto(`/ide/${projectId}?file=${TOTAL}`);
  await typeAtEnd(TOTAL, '// together\n');
  await row('format.js').dblclick();
  await typeAtEnd('src/format.js', '// together\n');
  await savePath(TOTAL, { content: `// above\n${await readPath(TOTAL)}` });
  await button('Commit…').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Say it together');
  await button('Commit 2 files').click();
  await button('Use merged version').click();
  await line(TOTAL, '// above').waitFor();
  await button('Commit…').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Say it together');
  await button('Commit 2 files').click();
  await workspace.see(/Saved [0-9a-f]{7} on hindsight\/ada/);
  // Nothing is left to save; the button says so, and the keyboard still gets there.
  await page.locator('button[aria-disabled=true][title="No unsaved changes in this file"]').waitFor();
  expect(await readPath(TOTAL)).toMatch(/^\/\/ above\n[\s\S]*\/\/ together\n$/);
  expect(await readPath('src/format.js')).toMatch(/\/\/ together\n$/);
});

test('on a phone a file is found, read and changed', async () => {
  const { page: phone, faults } = await workspace.openPage({ viewport: { width: 390, height: 844 } });
  await phone.goto(`/ide/${projectId}`);
  await phone.getByRole('treeitem', { name: 'README.md', exact: true }).click();
  const content = phone.locator('.cm-content[aria-label="README.md"]');
  await content.click();
  await phone.keyboard.press('Control+End');
  await phone.keyboard.insertText('From a phone.\n');
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  // Two rows of buttons, of 32 px each.
  const toolbar = phone.getByRole('navigation', { name: 'Path of the file' }).locator('..');
  expect((await toolbar.boundingBox())!.height).toBeLessThan(3 * 32);
  await phone.locator('button[aria-label="More actions"][aria-haspopup=menu]').click();
  await phone.getByRole('menuitemcheckbox', { name: 'Outline' }).waitFor();
  await phone.keyboard.press('Escape');
  await phone.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => readPath('README.md')).toMatch(/From a phone\.\n$/);
  expect(faults).toEqual([]);
});

test('no page reported an error', () => {
  // The browser also logs conflicts, missing files and checks that a busy machine refuses.
  expect(workspace.faults.filter((fault) => !/status of (?:404|409|503)/.test(fault))).toEqual([]);
});
