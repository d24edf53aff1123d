import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOriginFetch } from './origin-fetch.ts';
import { type Egress, startEgress } from './proxy.ts';
import { fakeLookup } from './testing.ts';

const LIMITS = { connectMs: 3_000, firstByteMs: 1_500, idleMs: 1_500, maxBytes: 10_000 };

let server: Server;
let egress: Egress;
let origin: string;
let answer: RequestListener = (_, reply) => reply.end('{}');

beforeAll(async () => {
  server = createServer((request, reply) => answer(request, reply)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const host = new URL(origin).host;
  egress = await startEgress({ allowedPrivateHosts: [host], lookup: fakeLookup });
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const post = async (url: string, from = origin) =>
  await createOriginFetch(from, LIMITS, egress)(url, { method: 'POST', body: '{"a":1}' });

test('a call through the proxy sends its body; redirects come back as they are', async () => {
  const seen: string[] = [];
  answer = async (request, reply) => {
    for await (const chunk of request) seen.push(String(chunk));
    if (request.url === '/moved') reply.writeHead(302, { location: 'http://169.254.169.254/' });
    reply.end('{"ok":true}');
  };
  expect(await (await post(`${origin}/v1/chat`)).json()).toEqual({ ok: true });
  expect(seen).toEqual(['{"a":1}']);
  expect((await post(`${origin}/moved`)).status).toBe(302);
});

test('huge, slow and silent replies are cut off', async () => {
  answer = (_, reply) => reply.end('x'.repeat(50_000));
  await expect(post(origin).then((reply) => reply.text())).rejects.toMatchObject({ reason: 'too_large' });
  answer = () => {};
  await expect(post(origin)).rejects.toMatchObject({ reason: 'timed_out' });
  answer = (_, reply) => reply.write('{');
  await expect(post(origin).then((reply) => reply.text())).rejects.toMatchObject({ reason: 'timed_out' });
});

test('a reply without a body or without a reader raises no error', async () => {
  answer = (_, reply) => reply.writeHead(204).end();
  expect((await post(origin)).status).toBe(204);
  answer = (_, reply) => reply.write('{');
  await post(origin);
  await sleep(LIMITS.idleMs + 200);
});

test.each([
  ['http://127.0.0.1:1/v1', 'https_required'],
  ['https://127.0.0.1/v1', 'private_address'],
  ['https://[::ffff:7f00:1]/v1', 'private_address'],
  ['https://metadata.example.com/v1', 'private_address'],
  ['https://mixed.example.com/v1', 'private_address'],
  ['https://db.internal/v1', 'private_address'],
  ['https://example.com:8443/v1', 'port_not_allowed'],
  ['https://nowhere.example.com/v1', 'unreachable'],
])('%s is refused before anything is dialled', async (url, reason) => {
  await expect(post(url, new URL(url).origin)).rejects.toMatchObject({ code: 'bad_request', reason });
});
