import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './workspace.ts';

let workspace: Workspace;
let page: Page;
let projectId: string;

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  projectId = await workspace.connect();
});

afterAll(async () => {
  await workspace?.close();
});

test('charts narrow to a period and a folder, become tables, are downloaded and lead into the code', async () => {
  await page.goto(`/projects/${projectId}/evolution`);
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
  expect(workspace.faults).toEqual([]);
});
