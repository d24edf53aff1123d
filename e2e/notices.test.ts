import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIX, raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Page;
let projectId: string;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
});

afterAll(async () => {
  await workspace?.close();
});

const bell = (name: string | RegExp) => page.getByRole('banner').getByRole('link', { name });

test('without a project and without news, the pages say so', async () => {
  await page.goto('/history');
  await workspace.see('Select a project to view history.');
  await page.goto('/notifications');
  await workspace.see('No notifications');
  await bell(/^Notifications$/).hover();
  await workspace.see('No new notifications');
  await workspace.see("You're all caught up!");
  await workspace.expectAccessible();
  await page.keyboard.press('Escape');
  await page.getByText('No new notifications').waitFor({ state: 'detached' });
});

test('the bell counts while the page is open', async () => {
  const { gitUrl } = workspace;
  projectId = (await workspace.call('POST', '/projects', { name: 'Ledger', git_url: gitUrl })).id as string;
  await bell('Notifications, 1 unread').waitFor();
  await workspace.see('Ledger is ready');
  await workspace.call('POST', '/projects', { name: 'Gone', git_url: new URL('missing.git', gitUrl).href });
  await bell('Notifications, 2 unread').focus();
  await workspace.see('2 unread');
  await workspace.see('There is no repository at this URL, or it is private.');
  await workspace.expectAccessible();
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
  await workspace.call('POST', '/debug/rag', {
    error_message: await raiseError(workspace.repository),
    project_id: projectId,
  });
  await workspace.call('POST', '/history/feedback', {
    debug_query_id: 1,
    helpful: false,
    comments: 'Solution needs improvement',
  });
  await page.goto(`/history?project_id=${projectId}`);
  await workspace.see('15 commits');
  await workspace.see(FIX);
  await workspace.expectAccessible();
  await page.getByRole('tab', { name: 'Feedback' }).click();
  await workspace.see('1 response');
  await workspace.see('Solution needs improvement');
  await workspace.expectAccessible();
  await page.getByRole('link', { name: /^TypeError/ }).click();
  await page.waitForURL('**/debug/*');
});

test('a watched file notifies of a commit, says why, and is unwatched in Settings', async () => {
  await page.goto(`/projects/${projectId}/files/src/read/csv.js`);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('button', { name: 'Watching', exact: true }).waitFor();
  await workspace.expectAccessible();
  const text = 'export const splitLine = (line) => line.split(",");\n';
  await workspace.repository.commit({ message: 'Split at commas', files: { 'src/read/csv.js': text } });
  await workspace.call('POST', `/projects/${projectId}/refresh`);
  await page.goto('/notifications');
  await workspace.see('1 new commit in Ledger matches your watch');
  await workspace.see('You watch src/read/csv.js.');
  await workspace.expectAccessible();
  await page.getByRole('link', { name: 'Manage watches' }).click();
  await page.waitForURL('**/settings#watches');
  await page.getByRole('link', { name: 'src/read/csv.js' }).waitFor();
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Delete watch: src/read/csv.js' }).click();
  await workspace.see('Watch deleted');
  await workspace.see(/^No watches yet/);
});

test('by touch the bell opens first, and leads on with the second tap', async () => {
  const phone = await workspace.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await phone.page.goto('/debug');
  const link = phone.page.getByRole('link', { name: /^Notifications/ }).first();
  await link.tap();
  await phone.page.getByText('View all notifications').waitFor();
  expect(new URL(phone.page.url()).pathname).toBe('/debug');
  await link.tap();
  await phone.page.waitForURL('**/notifications');
  expect(phone.faults).toEqual([]);
});

test('nothing broke on the way', () => {
  expect(workspace.faults).toEqual([]);
});
