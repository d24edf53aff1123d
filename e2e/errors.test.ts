import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { raiseError } from './ledger.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** From an event of an SDK to its row, its page, its resolution in a release and its regression. */

const TITLE = /Cannot read properties of undefined \(reading 'trim'\)/;

let workspace: Workspace;
let page: Page;
let projectId: string;
let intake: { events_url: string; key: string };

beforeAll(async () => {
  workspace = await openWorkspace();
  page = workspace.page;
  projectId = await workspace.connect();
  intake = (await workspace.call('POST', `/projects/${projectId}/intake`, {})) as typeof intake;
});

afterAll(async () => {
  await workspace?.close();
});

/** Sends the error of the ledger as an SDK does, and waits until it is counted. */
async function sendEvent(release: string, count: number): Promise<void> {
  const frame = { filename: 'src/amount.js', function: 'parseAmount', lineno: 3, in_app: true };
  const lib = (lineno: number) => ({
    filename: 'node:internal/main',
    function: 'run',
    lineno,
    in_app: false,
  });
  const code = { context_line: "  const [value, currency] = text.trim().split(' ');" };
  const value = {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'trim')",
    stacktrace: { frames: [lib(1), lib(2), { ...frame, ...code }] },
  };
  const event = {
    event_id: randomUUID().replaceAll('-', ''),
    ...{ platform: 'node', level: 'error', environment: 'production', release, tags: { region: 'eu' } },
    exception: { values: [value] },
    breadcrumbs: { values: [{ category: 'http', message: 'GET /totals' }] },
  };
  const response = await fetch(intake.events_url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${intake.key}`,
    },
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  await vi.waitUntil(async () => (await newestError())?.count === count, { timeout: 60_000 });
}

async function newestError() {
  const { errors } = await workspace.call('GET', `/projects/${projectId}/errors`);
  return (errors as { count: number; state: string }[])[0];
}

test('an event becomes a row, and a page with its frames, breadcrumbs and tags', async () => {
  expect(await raiseError(workspace.repository)).toMatch(TITLE);
  const { commits } = (await workspace.call('GET', `/projects/${projectId}/commits`)) as {
    commits: { hash: string }[];
  };
  const release = (version: string, commit?: string) =>
    workspace.call('POST', `/projects/${projectId}/releases`, { version, commit });
  await release('1.0.0', commits.at(-1)?.hash);
  await release('1.1.0', commits[0]?.hash);
  await sendEvent('1.0.0', 1);

  await page.goto(`/projects/${projectId}/errors`);
  await page.getByRole('link', { name: TITLE }).click();
  await workspace.see('parseAmount');
  await workspace.see("const [value, currency] = text.trim().split(' ');");
  await workspace.see('2 library frames');
  await workspace.see('GET /totals');
  await page.getByRole('link', { name: 'eu 100%' }).waitFor();
  await workspace.expectAccessible();
});

test('resolved in a release, it stays solved for older ones and comes back with a newer event', async () => {
  await page.getByRole('button', { name: 'Resolve in release…' }).click();
  await page.getByLabel('Release with the fix').fill('1.1.0');
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve', exact: true }).click();
  await workspace.see('Solved in 1.1.0');
  await sendEvent('1.0.0', 2);
  expect((await newestError())?.state).toBe('solved');
  await sendEvent('1.1.0', 3);
  await expect.poll(async () => (await newestError())?.state).toBe('regressed');

  await page.goto('/notifications');
  await page.locator(`a[href*="/projects/${projectId}/errors/"]`).first().click();
  await workspace.see('Regressed');
  await page.goto(`/projects/${projectId}/errors?state=regressed`);
  const row = page.getByRole('link', { name: TITLE });
  await row.waitFor();
  // Keys are heard once the painted page has its listeners.
  await expect
    .poll(async () => {
      await page.keyboard.press('j');
      return await row.evaluate((link) => link === document.activeElement);
    })
    .toBe(true);
  await page.keyboard.press('e');
  await workspace.see('No errors match these filters.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: TITLE }).waitFor();
});
