import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** From an error to its end: a model writes, its patch goes into the editor, a fix lands, and the error comes back solved. */

let model: TestModel;
let workspace: Workspace;
let page: Page;
/** URL of the answer. */
let session: string;
let projectId: string;

const GUARD = "  if (text === undefined) return { value: 0, currency: 'EUR' };";
const HEAD = `/** Reads an amount such as "12.50 EUR". */
export function parseAmount(text) {`;
const BODY = `  const [value, currency = 'EUR'] = text.trim().split(' ');
  return { value: Number(value), currency };
}`;
const indent = (text: string) => text.replaceAll(/^/gm, ' ');
const PATCH = `--- a/src/read/amount.js\n+++ b/src/read/amount.js\n@@ -1,5 +1,6 @@\n${indent(HEAD)}\n+${GUARD}\n${indent(BODY)}\n`;

const REPLY = {
  root_cause: 'A line may end before its amount, and the clean-up took the guard against that away.',
  fix: 'Let a line without an amount count as nothing [e1].',
  patch: PATCH.replaceAll('text.trim()', 'line.trim()'),
  best_practices: ['Keep the file with gaps in a test.'],
  confidence_basis: 'The trace names the line.',
  citations: [],
  place_order: ['p1'],
};

beforeAll(async () => {
  model = await startTestModel();
  const settings = { MODEL: 'openai-compatible:scripted', MODEL_BASE_URL: model.baseUrl };
  workspace = await openWorkspace({ settings });
  page = workspace.page;
  projectId = await workspace.connect();
});

afterAll(async () => {
  await workspace?.close();
  await model?.close();
});

async function ask(): Promise<void> {
  await page.goto('/debug');
  await page.getByLabel('Error message').fill(await raiseError(workspace.repository));
  await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Ledger' });
  await page.getByRole('button', { name: 'Find Solution' }).click();
}

test('progress is shown and can be stopped', async () => {
  model.behave({ hang: 'after', say: '{"root_cause": ' });
  await ask();
  await workspace.see('Writing the answer');
  await workspace.see(/It was last changed by/);
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await workspace.see('Your answer will appear here');
  await expect.poll(() => model.open()).toBe(0);
});

test('a model that fails leaves the answer of the evidence, and can be asked again', async () => {
  model.behave({ status: 404 });
  await ask();
  await workspace.see('The provider has no such language model. Check MODEL.');
  await workspace.expectAccessible();
  model.behave({ say: JSON.stringify(REPLY) }, { say: JSON.stringify({ ...REPLY, patch: PATCH }) });
  await page.getByRole('button', { name: 'Retry' }).click();
  await workspace.see(REPLY.root_cause);
  await workspace.see(/on its second attempt\. The patch applies/);
  await workspace.expectAccessible();
});

test('the editor asks as well, about an error that its reader sees', async () => {
  session = page.url();
  model.behave({ say: JSON.stringify({ ...REPLY, patch: PATCH }) });
  await page.goto(`/ide/${projectId}?file=src/read/amount.js`);
  await page.getByRole('button', { name: 'Analyze', exact: true }).click();
  await page.getByLabel('Error message').fill(await raiseError(workspace.repository));
  await page.getByRole('button', { name: 'Analyze with this error' }).click();
  await workspace.see(REPLY.root_cause);
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Apply patch in the editor' }).click();
  await page.locator('.cm-line', { hasText: GUARD.trim() }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.cm-line', { hasText: GUARD.trim() }).waitFor({ state: 'detached' });
  await page.goto(session);
});

test('its patch goes into the editor, and is saved only there', async () => {
  // Also after a first try that ended in the editor.
  await page.goto(session);
  await page.getByRole('link', { name: 'Apply patch in the editor' }).click();
  await workspace.see('Suggested patch applied, not saved. Review it before saving.');
  await page.locator('.cm-line', { hasText: GUARD.trim() }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await workspace.see('hindsight/ada');
  await page.goto(session);
});

test('a question about the answer is answered below it', async () => {
  model.behave({ say: 'Chris Weber took the guard away.' });
  await page.getByLabel('Why this line?').fill('Who did that?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await workspace.see('Chris Weber took the guard away.');
  const sent = JSON.stringify(model.calls.at(-1)?.body.messages);
  expect(sent).toContain('Cannot read properties of undefined');
  expect(sent).toContain(REPLY.root_cause);
  await workspace.expectAccessible();
  await page.reload();
  await workspace.see('Chris Weber took the guard away.');
});

test('a later commit on the cited lines is suggested, confirmed with one click, and answers the error next time', async () => {
  await workspace.repository.commit({
    author: 'Ada Lovelace',
    message: 'Fix crash on lines without an amount again',
    files: { 'src/read/amount.js': `${HEAD}\n${GUARD}\n${BODY}\n` },
  });
  await workspace.call('POST', `/projects/${projectId}/refresh`, {});
  await page.goto('/notifications');
  const notice = page.getByRole('listitem').filter({ hasText: 'A commit may have fixed your error' });
  await notice.getByRole('link', { name: 'View details' }).click();
  await workspace.see('Did this commit fix it?');
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Yes, it did' }).click();
  await workspace.see('Fixed by');
  await page.getByText('Did this commit fix it?').waitFor({ state: 'detached' });

  model.behave({ status: 404 });
  await page.getByRole('link', { name: 'Edit and ask again' }).click();
  await page.getByRole('button', { name: 'Find Solution' }).click();
  await workspace.see('This error was solved before');
  await workspace.expectAccessible();
  await page.getByRole('button', { name: 'Show the answer that helped' }).click();
  await workspace.see(REPLY.root_cause);
});

test('nothing went wrong in the page meanwhile', () => {
  expect(workspace.faults).toEqual([]);
});
