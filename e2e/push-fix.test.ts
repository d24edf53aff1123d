import { basename, dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveRepositories } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { createTestCodeHost, HOST_TOKEN, type TestCodeHost } from '#server/branches/testing-code-host.ts';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/**
 * From an answered error to a merged pull request: the fix is saved, pushed and proposed, and its merge resolves the error.
 * `SHOTS=folder` writes a picture of each step.
 */

const certificate = makeCertificate();
let host: TestCodeHost;
let workspace: Workspace;
let page: Page;
let projectId: string;

beforeAll(async () => {
  workspace = await openWorkspace({
    settings: { GIT_CA_FILE: certificate.file },
    async serve(repository) {
      host = createTestCodeHost('gitea', (branch) => repository.head(branch));
      const gitServer = await serveRepositories(dirname(repository.folder), {
        tls: certificate,
        receivePack: {},
        answer: (...call) => host.answer(...call),
      });
      return { gitServer, gitUrl: `${gitServer.url}/${basename(repository.folder)}/${repository.name}` };
    },
  });
  page = workspace.page;
  projectId = await workspace.connect();
});

afterAll(async () => {
  await workspace?.close();
  await certificate.remove();
});

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** Writes pictures of the page to the folder `SHOTS`: two widths, both themes. */
async function takePictures(name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  const theme = await page.evaluate(() => document.documentElement.dataset.theme ?? 'light');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const shown of ['dark', 'light']) {
      await page.evaluate(
        (value) => Object.assign(document.documentElement.dataset, { theme: value }),
        shown,
      );
      await page.screenshot({ path: `${folder}/${name}-${shown}-${size.width}.png` });
    }
  }
  await page.evaluate((value) => Object.assign(document.documentElement.dataset, { theme: value }), theme);
}

test('the owner allows pushing and stores the API token of the host', async () => {
  await page.goto(`/projects/${projectId}/branches`);
  await workspace.see('No branches yet');
  await page.getByRole('switch', { name: /may push branches/ }).click();
  await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Gitea, Forgejo' });
  await page.getByLabel('API token', { exact: true }).fill(HOST_TOKEN);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await workspace.see('A token is stored.');
  await takePictures('1-allowed');
  await workspace.expectAccessible();
});

test('a fix is saved from the answer with a message, and says where', async () => {
  const { id } = await workspace.call('POST', '/debug', {
    error_message: await raiseError(workspace.repository),
    project_id: projectId,
  });
  await page.goto(`/debug/${id}`);
  await page.getByRole('link', { name: 'Open in editor' }).first().waitFor();
  await page.getByRole('link', { name: 'Open in editor' }).first().click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// An entry may have no amount.\n');
  await page.getByRole('button', { name: 'Commit…' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Read entries without an amount');
  await page.getByRole('button', { name: 'Show changes' }).click();
  await page.getByText('// An entry may have no amount.').last().waitFor();
  await takePictures('2-commit');
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await workspace.see(/Saved \w{7} on hindsight\/ada/);
  await page.goto(`/debug/${id}`);
  await page.getByRole('link', { name: 'Push fix' }).click();
});

test('a push shows what it sends before, and the answer of the git server after', async () => {
  await page.getByLabel('Branch on the git server').fill('fix/amounts');
  await page.getByRole('button', { name: 'Review' }).click();
  await workspace.see('1 changed file');
  await workspace.see('Without a credential');
  await takePictures('3-review');
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Push 1 commit' }).click();
  await workspace.see(/fix\/amounts was created with \w{7}/);
  await takePictures('4-pushed');
  await workspace.expectAccessible();
});

test('a pull request is drafted from the error, and its merge resolves it', async () => {
  await page.getByRole('dialog').getByRole('button', { name: 'Open pull request' }).click();
  const fieldValue = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  await expect.poll(() => fieldValue('Title')).toBe('Read entries without an amount');
  await expect.poll(() => fieldValue('Description')).toContain('## Error');
  await takePictures('5-draft');
  await workspace.expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Open pull request' }).click();
  await workspace.see('Pull request #7 is open');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await workspace.see('Pull request #7 open');

  await workspace.repository.switch('main');
  await workspace.repository.merge('fix/amounts');
  Object.assign(host.pulls[0]!, { state: 'closed', merged: true });
  const { pull_requests } = await workspace.call('GET', `/projects/${projectId}/pull-requests`);
  const [request] = pull_requests as { id: string; session_id: string }[];
  await workspace.call('POST', `/projects/${projectId}/pull-requests/${request!.id}/refresh`);
  await page.reload();
  await workspace.see('Pull request #7 merged');
  await takePictures('6-merged');
  expect((await workspace.call('GET', `/debug/sessions/${request!.session_id}`)).state).toBe('solved');
  await page.goto(`/debug/${request!.session_id}`);
  await workspace.see('Read entries without an amount');
  await takePictures('7-solved');
});

test('a conflict is resolved in the editor by keyboard, survives a reload, and is saved as a merge', async () => {
  const { call, repository } = workspace;
  const path = 'src/read/amount.js';
  await call('POST', `/projects/${projectId}/refresh`);
  await workspace.untilReady(projectId);
  const file = await call('GET', `/ide/projects/${projectId}/files/${path}?ref=main`);
  const text = file.content as string;
  const save = { content: text.replace('Reads an amount', 'Parses an amount'), branch: 'topic/words' };
  await call('POST', `/ide/projects/${projectId}/files/${path}`, save);
  await repository.switch('main');
  await repository.commit({ files: { [path]: text.replace('Reads an amount', 'Takes an amount') } });
  await call('POST', `/projects/${projectId}/refresh`);
  await workspace.untilReady(projectId);
  await page.goto(`/projects/${projectId}/branches?update=${encodeURIComponent('topic/words')}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await workspace.see('1 file with conflicts');
  const result = page.getByRole('textbox', { name: `Result of ${path}` });
  await result.getByText('Parses an amount').waitFor();
  await page.getByRole('textbox', { name: 'main' }).getByText('Takes an amount').waitFor();
  const finish = page.getByRole('button', { name: 'Save merge' });
  await expect.poll(() => finish.isDisabled()).toBe(true);
  await takePictures('8-conflict');
  await workspace.expectAccessible();
  await page.keyboard.press('F8');
  await page.keyboard.press('Alt+Digit1');
  await result.getByText('Takes an amount').waitFor();
  await page.reload();
  await result.getByText('Takes an amount').waitFor();
  await page.getByRole('button', { name: 'Use both' }).click();
  await result.getByText('Parses an amount').waitFor();
  await finish.click();
  await workspace.see('topic/words was updated.');
  const saved = await call('GET', `/ide/projects/${projectId}/files/${path}?ref=topic/words`);
  expect(saved.content).toMatch(/Takes an amount.*\n.*Parses an amount/);
});

test('no page reported an error', () => {
  expect(workspace.faults).toEqual([]);
});
