import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hookRoutes } from '#contract/hooks.ts';
import { insertProject } from '../projects/queries.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { dial, readAll, statusOf } from '../testing-raw-http.ts';

/** Large bodies of many senders at once: who may not send them is refused before they are read. */

let server: TestApp;
let user: TestUser;
let hookPath: string;
/** Bytes that the server has read of every connection. */
let connections: Socket[] = [];

const MIB = 2 ** 20;
const BODY_BYTES = 26 * MIB;
const CHUNK = Buffer.alloc(64 * 1024, 0x61);

beforeAll(async () => {
  server = await testApp({ config: { maxBufferedBytes: 4 * MIB } });
  user = await server.signUp();
  const project = { name: 'demo', gitUrl: 'https://git.example/demo', description: null, ownerId: user.id };
  const { id } = await insertProject(server.deps.db, project);
  await server.call(hookRoutes.create, { params: { id } }, user);
  hookPath = `/api/hooks/${id}`;
  server.app.server.on('connection', (socket) => connections.push(socket));
});
afterAll(() => server.close());

interface Sent {
  status: number;
  text: string;
}

/** Sends a request with a body of so many bytes as fast as the server reads, and listens all the while. */
async function upload(
  path: string,
  { bytes = BODY_BYTES, chunked = false, headers = '', holdMs = 0 } = {},
): Promise<Sent> {
  const socket = await dial(server.app);
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n${headers}Connection: close\r\n\r\n`,
  );
  const reply = readAll(socket);
  let open = true;
  socket.once('close', () => {
    open = false;
  });
  for (let sent = 0; open && sent < bytes; sent += CHUNK.length) {
    const piece = CHUNK.subarray(0, Math.min(CHUNK.length, bytes - sent));
    if (chunked) socket.write(`${piece.length.toString(16)}\r\n`);
    const isRoomLeft = socket.write(piece);
    if (chunked) socket.write('\r\n');
    if (!isRoomLeft) await Promise.race([new Promise((go) => socket.once('drain', go)), reply]);
    if (holdMs > 0 && sent + 2 * CHUNK.length >= bytes) await sleep(holdMs);
  }
  if (open && chunked) socket.write('0\r\n\r\n');
  const text = await reply;
  return { status: statusOf(text), text };
}

const HOSTILE: [string, () => string, number[]][] = [
  ['a webhook of no project', () => '/api/hooks/missing/push', [404]],
  ['an error event of no project', () => '/api/hooks/missing/errors', [404]],
  ['a webhook of a project', () => `${hookPath}/push`, [413]],
  ['an error event of a project', () => `${hookPath}/errors`, [413]],
  ['the payment gateway', () => '/api/payments/webhook', [404]],
  ['signing up', () => '/api/auth/register', [413]],
  ['signing in', () => '/api/auth/login', [413, 415]],
  ['a forgotten password', () => '/api/auth/forgot-password', [413]],
  ['a call that needs a sign-in', () => '/api/debug', [401]],
  ['a save that needs a sign-in', () => '/api/ide/projects/x/files/a.ts', [401]],
  ['MCP', () => '/mcp', [401]],
  ['a URL of the API that is not there', () => '/api/nothing', [404, 413]],
  ['a URL that is not there', () => '/nothing', [404, 413]],
];

test.each(HOSTILE)(
  'of 26 MiB to %s almost nothing is read, with a length and in chunks',
  async (_name, path, statuses) => {
    for (const chunked of [false, true]) {
      connections = [];
      const { status } = await upload(path(), { chunked });
      // A reset that follows the reply may overtake it.
      if (status !== 0) expect(statuses).toContain(status);
      expect(connections[0]!.bytesRead).toBeLessThan(3 * MIB);
    }
  },
);

test.each([60, 150])('%i visitors who send 26 MiB each do not exhaust memory', async (count) => {
  let peak = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }, 20);
  const paths = ['/api/hooks/missing/push', `${hookPath}/push`, `${hookPath}/errors`, '/api/auth/register'];
  const uploads = Array.from({ length: count }, (_, index) =>
    upload(paths[index % paths.length]!, { chunked: index % 8 > 3 }),
  );
  const started = performance.now();
  expect((await server.app.inject('/healthz')).statusCode).toBe(200);
  expect(performance.now() - started).toBeLessThan(10_000);
  const results = await Promise.all(uploads);
  clearInterval(watch);
  expect(
    results.map(({ status }) => status).filter((status) => ![0, 404, 413, 503].includes(status)),
  ).toEqual([]);
  // Their bodies are 1.5 GB and more.
  expect(peak).toBeLessThan(500 * MIB);
});

test('all bodies share a limit, of which one user may use a share', async () => {
  const headers = `Authorization: Bearer ${user.accessToken}\r\n`;
  const slow = { bytes: 700_000, headers, holdMs: 1500 };
  const uploads = Promise.all(Array.from({ length: 4 }, () => upload('/api/debug', slow)));
  await sleep(500);
  const other = await server.signUp();
  const body = JSON.stringify({ name: 'x', git_url: 'https://127.0.0.1/x' });
  const meanwhile = await server.inject(
    { method: 'POST', url: '/api/projects', payload: body, headers: { 'content-type': 'application/json' } },
    other,
  );
  expect(meanwhile.statusCode).toBe(400);
  const replies = await uploads;
  // A share of 1 MiB: one body fits, the others are refused while it is there.
  const refused = replies.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status === 400).length).toBeGreaterThan(0);
  for (const { text } of refused) {
    expect(text).toMatch(/retry-after: \d+/i);
    expect(text).toMatch(/connection: close/i);
  }
  // What was taken has been given back.
  expect((await upload('/api/debug', { bytes: 700_000, headers })).status).toBe(400);
});

test('connections of one IP are limited, not counting closed ones', async () => {
  const small = await testApp({ config: { maxConnectionsPerIp: 5 } });
  const sockets: Socket[] = [];
  for (let count = 0; count < 8; count++) sockets.push(await dial(small.app));
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(3);
  for (const socket of sockets) socket.destroy();
  const health = async () => {
    const socket = await dial(small.app);
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return statusOf(await readAll(socket));
  };
  await expect.poll(health).toBe(200);
  await small.close();
});

test.each([
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 422],
  ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 422],
  ['many empty arrays', `[${'[],'.repeat(80_000)}[]]`, 422],
  ['many keys', `{${Array.from({ length: 60_000 }, (_, index) => `"${index}":1`).join()}}`, 422],
  [
    'brackets in a text',
    JSON.stringify({ error_message: `${'[{'.repeat(40_000)}"\\`, project_id: 'x' }),
    404,
  ],
])('JSON of %s is measured before it is parsed', async (_name, payload, status) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await server.inject({ method: 'POST', url: '/api/debug', payload, headers }, user);
  expect(reply.statusCode).toBe(status);
  if (status === 422) expect(reply.json().error.reason).toBe('too_complex');
});
