import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './workspace.ts';

/** The error intake: set up on the settings page, then used by a page of another origin with the SDK for browsers. */

let workspace: Workspace;
let projectId: string;
let shop: Server;
let script = '';

beforeAll(async () => {
  workspace = await openWorkspace();
  projectId = await workspace.connect();
  shop = createServer((request, reply) => {
    const isScript = request.url === '/app.js';
    reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    reply.end(isScript ? script : '<!doctype html><title>Shop</title><script src="/app.js"></script>');
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  shop?.close();
  await workspace?.close();
});

/** Bundles a program with the SDK, as a shop would. */
async function bundle(dsn: string): Promise<string> {
  const code = `import * as Sentry from '@sentry/browser';
    Sentry.init({ dsn: ${JSON.stringify(dsn)}, release: 'shop@1.4.2', environment: 'test' });
    function applyDiscount(cart) { return cart.items.length; }
    setTimeout(() => applyDiscount({}), 50);`;
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'shop',
        resolveId: (id) => (id === 'shop' ? id : null),
        load: (id) => (id === 'shop' ? code : null),
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input: 'shop', output: { format: 'iife' } } },
  });
  const [{ output: files }] = [output].flat() as [Rollup.RollupOutput];
  return files[0].code;
}

test('an owner sets up the intake, and an error of a page in a browser arrives', async () => {
  const { page } = workspace;
  await page.goto(`/projects/${projectId}/settings`);
  const section = page.getByRole('region', { name: 'Error intake' });
  await section.getByRole('button', { name: 'Set up error intake' }).click();
  await section.getByText('No events yet.').waitFor();
  await workspace.expectAccessible();
  const dsn = (await section
    .getByText(/^https?:\/\/[0-9a-f]{32}@/)
    .first()
    .textContent())!;

  script = await bundle(dsn);
  const visitor = await page.context().browser()!.newPage();
  // The SDK sends its session first, in an envelope of its own.
  const sent = visitor.waitForResponse(
    (response) => response.request().postData()?.includes('"type":"event"') === true,
  );
  await visitor.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
  expect((await sent).status()).toBe(200);
  await visitor.close();
  await section.getByText('Last event').waitFor();
  await section.getByRole('row', { name: 'Accepted 1' }).waitFor();

  await section.getByRole('button', { name: 'Send a test event' }).click();
  await section.getByRole('row', { name: 'Accepted 2' }).waitFor();
  await section.getByLabel('Keep events for').selectOption('30');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Saved').waitFor();

  await section.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  await section.getByText(dsn, { exact: true }).waitFor({ state: 'detached' });
  await section.getByRole('button', { name: 'Disable' }).click();
  await section.getByRole('button', { name: 'Enable' }).waitFor();
  await workspace.expectAccessible();
});
