import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugRoutes } from '#contract/debug.ts';
import { keyRoutes } from '#contract/keys.ts';
import { projectRoutes } from '#contract/projects.ts';
import { proofRoutes } from '#contract/proofs.ts';
import { SHOP_TRACE } from '#investigate/testing.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;
let address: string;

beforeAll(async () => {
  served = await serveShop();
  app = await openShopApp(served);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  await app.close();
  await served.close();
});

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  return client;
}

async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  return { text: first?.text ?? '', isError: result.isError ?? false };
}

test('the official client lists and calls the tools', async () => {
  const client = await connect(app.ada.accessToken);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['list_projects', 'search_code', 'investigate_error', 'function_history']),
  );
  for (const { name, inputSchema, annotations } of tools) {
    expect(inputSchema.type).toBe('object');
    expect(annotations?.readOnlyHint).toBe(!['prove_answer', 'cancel_proof'].includes(name));
  }
  expect((await callTool(client, 'list_projects', {})).text).toContain(`${app.project.id}: Shop`);
  const found = await callTool(client, 'find_symbol', { name: 'applyDiscount' });
  expect(found.text).toContain('src/checkout/total.js');
  const named = await callTool(client, 'investigate_error', { error: SHOP_TRACE, project: 'shop' });
  expect(named.text).toContain('### Root cause');
  await client.close();
});

test('a proof runs only after it is confirmed and the owner allows it', async () => {
  const body = { project_id: app.project.id, error_message: SHOP_TRACE };
  const session = (await app.call(debugRoutes.debug, { body }, app.ada)).body.id;
  const client = await connect(app.ada.accessToken);
  const input = { session, kind: 'reproduce', command: 'node --test' };
  const refused = await callTool(client, 'prove_answer', { ...input, confirm: true });
  expect(refused.text).toMatch(/^Nothing can run: /);
  await app.call(projectRoutes.update, { params: { id: app.project.id }, body: { may_run: true } }, app.ada);
  const planned = await callTool(client, 'prove_answer', input);
  // Where this machine has no sandbox, it says what to install.
  expect(planned.text).toMatch(/^(?:Nothing has run yet\.[\s\S]*Command: node --test|Nothing can run: )/);
  expect((await app.call(proofRoutes.list, { params: { id: session } }, app.ada)).body.proofs).toEqual([]);
  expect(await callTool(client, 'get_proof', { id: 'none' })).toMatchObject({ isError: true });
  const bob = await connect(app.bob.accessToken);
  expect(await callTool(bob, 'prove_answer', input)).toMatchObject({ isError: true });
  await Promise.all([client.close(), bob.close()]);
});

test('invalid arguments and unknown projects are tool errors with a message', async () => {
  const client = await connect(app.ada.accessToken);
  for (const args of [{ path: '../../etc/passwd' }, { path: 'src/money.js', revision: '--output=x' }]) {
    expect(await callTool(client, 'read_file', args)).toMatchObject({ isError: true });
  }
  const stranger = await callTool(client, 'hotspots', { project: 'nothing like it' });
  expect(stranger).toMatchObject({ isError: true, text: expect.stringContaining('list_projects') });
  await client.close();
});

test('non-members see no project, and authentication is required', async () => {
  const eve = await app.signUp('eve');
  const client = await connect(eve.accessToken);
  expect((await callTool(client, 'list_projects', {})).text).toBe('There are no projects yet.');
  const foreign = await callTool(client, 'read_file', { path: 'src/money.js', project: app.project.id });
  expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining('no such project') });
  await client.close();
  await expect(connect('nonsense')).rejects.toThrow();
  const postMessage = { method: 'POST' as const, url: '/mcp', payload: {} };
  expect((await app.inject(postMessage)).statusCode).toBe(401);
  const crossSite = { ...postMessage, headers: { origin: 'https://evil.example' } };
  expect((await app.inject(crossSite, app.ada)).statusCode).toBe(400);
});

test('an API key can call the tools', async () => {
  const body = { name: 'Editor', scope: 'read' as const, project_id: app.project.id };
  const { key } = (await app.call(keyRoutes.create, { body }, app.ada)).body;
  const client = await connect(key);
  expect((await callTool(client, 'find_symbol', { name: 'taxRate' })).text).toContain('src/region.js');
  await client.close();
});

test.each([
  'null',
  '[]',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
  '[1,2]',
])('a body of %s is an error, not a server fault', async (payload) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const reply = await app.inject({ method: 'POST', url: '/mcp', payload, headers }, app.ada);
  expect(reply.statusCode).toBeLessThan(500);
});
