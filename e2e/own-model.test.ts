import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { sentinel } from './sentinels.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** A reader's own model: allowed by the administrator, tested, asked about an attached log; its diagrams run nothing. */

const KEY = sentinel('sk-the-key-of-the-reader-4711');

const LOG = `Traceback (most recent call last):
  File "/srv/ledger/cli.py", line 3, in main
KeyError: 'amount'
`;

const DIAGRAM = '```mermaid\nflowchart LR\n  A[Entry] --> B[Ledger]\n```';

/** Each draws something or fails, and neither runs a script nor sends a request. */
const HOSTILE_DIAGRAMS = [
  'flowchart LR\n  A["<img src=x onerror=\'top.__xss=1\'>"] --> B\n  click A "javascript:top.__xss=1"\n  click B href "https://evil.example/?d=S"',
  "%%{init: {'securityLevel': 'loose', 'htmlLabels': true}}%%\nflowchart LR\n  A[\"<script>top.__xss=1</script><iframe src='https://evil.example'></iframe>\"] --> B",
  `flowchart LR\n${Array.from({ length: 190 }, (_, at) => `a${at}-->b${at}`).join('\n')}\n${'a0-->b0\n'.repeat(200)}`,
];

let provider: TestModel;
let workspace: Workspace;
let page: Page;
let projectId: string;
const requested: string[] = [];

beforeAll(async () => {
  provider = await startTestModel();
  workspace = await openWorkspace();
  page = workspace.page;
  page.on('request', (request) => requested.push(request.url()));
  projectId = await workspace.connect();
  await workspace.call('POST', '/admin/hosts', { host: new URL(provider.baseUrl).host });
});
afterAll(async () => {
  await workspace?.close();
  await provider?.close();
});

async function ask(question: string): Promise<void> {
  await page.getByLabel('Message your project...').fill(question);
  await page.getByRole('button', { name: 'Send' }).click();
}

test('an administrator allows a host; the reader sets a model there and sees it answer', async () => {
  await page.goto('/admin?tab=model');
  await page.getByLabel('Allowed', { exact: true }).selectOption('public');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await workspace.see('Custom models saved');
  provider.behave({ say: 'ready' }, { say: 'red' });
  await page.goto('/settings#model');
  const section = page.getByRole('region', { name: 'Custom language model' });
  await section.getByLabel('Provider').selectOption('openai-compatible');
  await section.getByLabel('Model', { exact: true }).fill('small');
  await section.getByLabel('Base URL').fill('https://127.0.0.1/v1');
  await section.getByLabel('API key', { exact: true }).fill(KEY);
  await section.getByRole('button', { name: 'Save' }).click();
  await section
    .getByText(/private/)
    .first()
    .waitFor();
  await section.getByLabel('Base URL').fill(provider.baseUrl);
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('The model answered after').waitFor();
  await section.getByText('32,000 tokens').waitFor();
  await workspace.expectAccessible();
});

test('an attached log goes to the model; its answer keeps steps, context and a diagram', async () => {
  provider.calls.length = 0;
  provider.behave(
    { use: [{ name: 'search_code', input: { query: 'amount' } }] },
    { say: `It starts here:\n\n${DIAGRAM}\n\nThat is all.` },
  );
  await page.goto(`/projects/${projectId}/chat`);
  await workspace.see('your own model.');
  await page.setInputFiles('input[type=file]', { name: 'app.log', mimeType: '', buffer: Buffer.from(LOG) });
  await page.getByRole('button', { name: 'app.log Log' }).waitFor();
  await ask('Why does this happen?');
  await page.frameLocator('iframe').getByText('Ledger').waitFor();
  expect(JSON.stringify(provider.calls[0]?.body)).toContain("KeyError: 'amount'");
  expect(provider.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  await page.reload();
  await workspace.see(/18 of 32K tokens of context/);
  await page.getByText('3 steps').click();
  await workspace.see('Read the log');
  await page.getByRole('button', { name: 'Show source' }).click();
  await workspace.see('A[Entry] --> B[Ledger]');
  await workspace.expectAccessible();
});

test('hostile diagrams run nothing and reach nothing', async () => {
  requested.length = 0;
  for (const diagram of HOSTILE_DIAGRAMS) {
    provider.behave({ say: `\`\`\`mermaid\n${diagram}\n\`\`\`\n\nDrawn.` });
    const before = await page.locator('figure').count();
    await ask('Draw it.');
    const figure = page.locator('figure').nth(before);
    await figure.getByText(/could not be drawn|Show source/).waitFor();
  }
  expect(await page.evaluate(() => Reflect.get(window, '__xss'))).toBeUndefined();
  const foreign = requested.filter(
    (url) => !url.startsWith(workspace.product.url) && !/^(?:blob|data):/.test(url),
  );
  expect(foreign).toEqual([]);
  expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}/chat`);
});
