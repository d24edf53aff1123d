import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { World } from '../world.ts';

/*
 * Bodies of those who have no account, or have one and send too much. What must hold: the caller is known before the
 * body is read, and the bytes of all bodies together have a cap.
 */

const MIB = 2 ** 20;

const HEADLESS: [string, string, Record<string, string>][] = [
  ['a push of a hook that is not there', '/api/hooks/none/push', { 'content-type': 'application/json' }],
  [
    'a push of the project without a signature',
    '/api/hooks/PROJECT/push',
    { 'content-type': 'application/json' },
  ],
  ['errors of a hook that is not there', '/api/hooks/none/errors', { 'content-type': 'application/json' }],
  [
    'a webhook of payments',
    '/api/payments/webhook',
    { 'content-type': 'application/json', 'x-razorpay-signature': 'x' },
  ],
  ['a sign-in', '/api/auth/login', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a sign-up', '/api/auth/register', { 'content-type': 'application/json' }],
  [
    'a save without an account',
    '/api/ide/projects/PROJECT/files/a.js',
    { 'content-type': 'application/json' },
  ],
  [
    'an analysis without an account',
    '/api/ide/projects/PROJECT/debug/ide',
    { 'content-type': 'application/json' },
  ],
  ['a question without an account', '/api/debug', { 'content-type': 'application/json' }],
  ['MCP without an account', '/mcp', { 'content-type': 'application/json' }],
  ['a path that does not exist', '/api/nothing', { 'content-type': 'application/json' }],
  ['a page', '/', { 'content-type': 'application/json' }],
];

/** Many sockets that each promise 25 MiB and send most of it. */
const floods: Input[] = HEADLESS.map(([name, path, headers], index) => ({
  name: `40 bodies of 25 MiB at once: ${name}`,
  act: (world) => flood(world, { path, headers, sockets: index < 2 ? 40 : 15, bytes: 25 * MIB }),
  short: index === 0,
}));

const JSON_TYPE = { 'content-type': 'application/json' };

/** Bodies by a member, who is known: too long, of a wrong kind, or not what their head says. */
const ODD: [string, Record<string, string>, string | Buffer][] = [
  ['20,000 brackets', JSON_TYPE, '['.repeat(20_000)],
  ['200,000 brackets', JSON_TYPE, '['.repeat(200_000)],
  ['a number beyond all', JSON_TYPE, '{"name":1e999}'],
  [
    '10,000 unknown keys',
    JSON_TYPE,
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))),
  ],
  ['__proto__ in a string of escapes', JSON_TYPE, '{"\\u005f_proto__":{"role":"admin"}}'],
  ['constructor.prototype', JSON_TYPE, '{"constructor":{"prototype":{"role":"admin"}}}'],
  ['the same key twice', JSON_TYPE, '{"name":"a","name":["b"],"git_url":"x"}'],
  ['UTF-16', JSON_TYPE, Buffer.from('{"name":"x"}', 'utf16le')],
  ['a byte order mark', JSON_TYPE, '\ufeff{"name":"x"}'],
  ['bytes that are no UTF-8', JSON_TYPE, Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['gzip that was promised', { ...JSON_TYPE, 'content-encoding': 'gzip' }, Buffer.alloc(1000, 31)],
  ['deflate that was promised', { ...JSON_TYPE, 'content-encoding': 'deflate' }, Buffer.alloc(1000, 120)],
  [
    'XML',
    { 'content-type': 'application/xml' },
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  ],
  [
    'multipart with 10,000 parts',
    { 'content-type': 'multipart/form-data; boundary=x' },
    '--x\r\n\r\n'.repeat(10_000),
  ],
  [
    'a form with 100,000 fields',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'a=1&'.repeat(60_000),
  ],
  ['a type with an unknown charset', { 'content-type': 'application/json; charset=x-none' }, '{}'],
  ['a type of 8 KB', { 'content-type': `application/json; a=${'x'.repeat(8000)}` }, '{}'],
  ['half a surrogate pair', JSON_TYPE, '{"name":"\\ud800","git_url":"\\udfff"}'],
  ['U+0000', JSON_TYPE, '{"name":"a\\u0000b","git_url":"x"}'],
  ['an array for every text', JSON_TYPE, '{"name":["x"],"git_url":{"a":1}}'],
];

const odd: Input[] = ODD.map(([name, headers, body]) => ({
  name: `connecting with ${name}`,
  as: 'stranger',
  requests: () => ({ method: 'POST', path: '/api/projects', headers, body }),
  allowed: [400, 413, 415, 422],
  short: /brackets|proto/.test(name),
}));

const HEAD = 'POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

/** Requests that no client writes: message boundaries of two kinds, broken chunks, heads without an end. */
const RAW: [string, string[]][] = [
  [
    'length and chunks',
    [`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`],
  ],
  ['two lengths', [`${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `]],
  ['a length below zero', [`${HEAD}Content-Length: -1\r\n\r\n{}`]],
  ['a length of twenty digits', [`${HEAD}Content-Length: 99999999999999999999\r\n\r\n{}`]],
  ['chunks of 4 GiB', [`${HEAD}Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\nx`]],
  ['chunks whose size is no number', [`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nx`]],
  [
    'a chunk with 20 KB of extensions',
    [`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`],
  ],
  ['chunked twice', [`${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`]],
  [
    'chunked in capitals behind a tab',
    [`${HEAD}Transfer-Encoding:\tCHUNKED\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`],
  ],
  ['200 KB of headers', [`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${'a: b\r\n'.repeat(33_000)}\r\n`]],
  ['one header of 100 KB', [`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\na: ${'b'.repeat(100_000)}\r\n\r\n`]],
  ['a line feed in a header', ['GET / HTTP/1.1\nHost: 127.0.0.1\nA: b\n\n']],
  ['no version', ['GET /\r\n\r\n']],
  ['HTTP/2 at once', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['TLS', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
  ['a method of 10 KB', [`${'A'.repeat(10_000)} / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`]],
  ['1,000 requests at once in one socket', ['GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000)]],
  ['100 Continue that never comes', [`${HEAD}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`]],
];

const raw: Input[] = RAW.map(([name, pieces]) => ({
  name: `by hand: ${name}`,
  act: async (world) => {
    const { text } = await world.sendRaw(pieces, { waitMs: 1000 });
    const status = statusOf(text);
    return status === 500 || status === 502 ? `answered ${status}` : null;
  },
  short: /length and chunks|headers/.test(name),
}));

export const bodies: Family = {
  name: 'bodies',
  modes: ['default'],
  maxMemoryBytes: 512 * MIB,
  inputs: [
    ...floods,
    ...odd,
    ...raw,
    {
      name: '400 sockets that send a byte a second',
      act: async ({ server }) => {
        const sockets = Array.from({ length: 400 }, () => open(server.port));
        for (let round = 0; round < 5; round++) {
          for (const socket of sockets) socket.write(round === 0 ? HEAD : 'x');
          await sleep(1000);
        }
        for (const socket of sockets) socket.destroy();
        return null;
      },
    },
  ],
};

async function flood(
  { server, projectId }: World,
  {
    path,
    headers,
    sockets,
    bytes,
  }: { path: string; headers: Record<string, string>; sockets: number; bytes: number },
): Promise<string | null> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path.replace('PROJECT', projectId)} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${lines.join('')}Content-Length: ${bytes}\r\n\r\n`;
  const before = server.memory().now;
  const opened = Array.from({ length: sockets }, () => open(server.port));
  const sent = Promise.all(opened.map((socket) => pump(socket, head, bytes - MIB)));
  let peak = before;
  for (let round = 0; round < 20; round++) {
    await Promise.race([sent, sleep(200)]);
    peak = Math.max(peak, server.memory().now);
    if (opened.every((socket) => socket.destroyed)) break;
  }
  for (const socket of opened) socket.destroy();
  const grown = peak - before;
  return grown > 256 * MIB ? `memory grew by ${Math.round(grown / MIB)} MiB while bodies came in` : null;
}

const PIECE = Buffer.alloc(256 * 1024, 97);

/** Writes so many bytes as fast as the other side takes them. */
async function pump(socket: Socket, head: string, bytes: number): Promise<void> {
  socket.write(head);
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += PIECE.length) {
    await new Promise<void>((next) => socket.write(PIECE, () => next()));
  }
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.resume();
  return socket;
}
