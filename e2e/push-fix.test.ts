import { basename, dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveRepositories } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { createTestCodeHost, HOST_TOKEN, type TestCodeHost } from '#server/branches/testing-code-host.ts';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** From an answered error to a merged pull request: the fix is saved, pushed and proposed, and its merge resolves the error. */

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

test('the owner allows pushing and stores the API token of the host', async () => {
  await page.goto(`/projects/${projectId}/branches`);
  await workspace.see('No branches yet');
  await page.getByRole('switch', { name: /may push branches/ }).check();
  await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Gitea, Forgejo' });
  await page.getByLabel('API token', { exact: true }).fill(HOST_TOKEN);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await workspace.see('A token is stored.');
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
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await workspace.see(/Saved \w{7} on hindsight\/ada/);
  await page.goto(`/debug/${id}`);
  await page.getByRole('link', { name: 'Push fix' }).click();
});

test('a push shows what it sends before, and the answer of the git server after', async () => {
  await page.getByLabel('Branch at the git server').fill('fix/amounts');
  await page.getByRole('button', { name: 'Review' }).click();
  await workspace.see('1 changed file');
  await workspace.see('Without a credential');
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Push 1 commit' }).click();
  await workspace.see(/fix\/amounts was created with \w{7}/);
  await workspace.expectAccessible();
});

test('a pull request is drafted from the error, and its merge resolves it', async () => {
  await page.getByRole('dialog').getByRole('button', { name: 'Open pull request' }).click();
  await vi.waitUntil(async () => (await page.getByLabel('Title', { exact: true }).inputValue()) !== '');
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Read entries without an amount');
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toContain('## Error');
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
  expect((await workspace.call('GET', `/debug/sessions/${request!.session_id}`)).state).toBe('solved');
  await page.goto(`/debug/${request!.session_id}`);
  await workspace.see('Read entries without an amount');
});

test('no page reported an error', () => {
  expect(workspace.faults).toEqual([]);
});
