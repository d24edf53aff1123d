import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_MISSING, sandboxTitle } from '#sandbox/commands/testing-sandbox.ts';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** From the permission of the owner to a proven commit on the page of an answer. */

/** Fails with the error of the ledger. */
const COMMAND = 'node src/cli.js data/gaps.csv';

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

/** Checks the page in both themes. */
async function expectAccessible(): Promise<void> {
  const show = (theme: string) =>
    page.evaluate((value) => Object.assign(document.documentElement.dataset, { theme: value }), theme);
  for (const theme of ['dark', 'light']) {
    await show(theme);
    await workspace.expectAccessible();
  }
}

test.skipIf(SANDBOX_MISSING !== null)(
  sandboxTitle('the owner allows running code, an error is reproduced and its commit proven'),
  async () => {
    const error_message = await raiseError(workspace.repository);
    const { id } = await workspace.call('POST', '/debug', { project_id: projectId, error_message });
    await page.goto(`/debug/${id}`);
    await page.getByRole('button', { name: 'Prove it' }).click();
    await workspace.see('Running this project’s code is turned off');
    await expectAccessible();

    await page.goto(`/projects/${projectId}/settings`);
    await page.getByRole('switch', { name: 'Editors may run code of this repository' }).click();
    await page.getByLabel('Wider test command').fill('true');
    const saved = page.waitForResponse((response) => /^(?:PUT|PATCH)$/.test(response.request().method()));
    await page.getByRole('region', { name: 'Running code' }).getByRole('button', { name: 'Save' }).click();
    expect((await saved).ok()).toBe(true);
    await expectAccessible();
    await page.goto('/admin?tab=switches');
    await page.getByRole('switch', { name: 'Projects may run their tests' }).waitFor();
    await expectAccessible();

    await page.goto(`/debug/${id}`);
    await page.getByRole('button', { name: 'Prove it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Find the commit').click();
    await dialog.getByLabel('Command', { exact: true }).fill(COMMAND);
    await workspace.see('In a sandbox on this server, without network');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Run in the sandbox' }).click();
    await page.getByRole('heading', { name: 'Proof' }).waitFor();
    await page
      .getByText(/^Proven: /)
      .first()
      .waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Output' }).first().click();
    await workspace.see(/reading 'trim'/);
    await expectAccessible();
    expect(workspace.faults).toEqual([]);
  },
);
