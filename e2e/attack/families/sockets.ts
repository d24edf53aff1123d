import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from '../client.ts';
import { type Family, type Input, isServerError } from '../family.ts';
import type { User, World } from '../world.ts';

/*
 * Upgrades and frames that no browser sends. What must hold: a refusal with its own status, never 500; so many sockets of
 * one person and no more; a chatterer is closed.
 */

const UPGRADE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
const upgrade = (target: string, more = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}${UPGRADE}\r\n`;

/** Request targets that are malformed or unusual. */
const TARGETS = [
  ...[
    '//',
    '///',
    '//x',
    '/\\',
    '/%',
    '/%zz',
    '/ws/notifications?%',
    '/ws/notifications?token=%ff',
    '/ws/other',
    '*',
  ],
  ...[
    'http://',
    'http://[',
    'http://[::1',
    '//[',
    '//a:99999999/',
    'ws://x:y',
    '/ws/notifications/../../x',
    '/ws/notifications%00',
  ],
  ...[
    '/ws/notifications?token=',
    `/ws/notifications?token=${'a'.repeat(7000)}`,
    '/ws/notifications#x',
    '?token=x',
    '//@',
    '/ws/notifications?token[]=x',
  ],
];

const targets: Input[] = TARGETS.map((target, index) => ({
  name: `upgrading ${JSON.stringify(target.slice(0, 50))}`,
  act: async (world) => judge(await world.sendRaw([upgrade(target)], { waitMs: 1500 })),
  short: index < 4,
}));

/** Heads that are not quite an upgrade. */
const HEADS: [string, string][] = [
  [
    'no key',
    'GET /ws/notifications HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ],
  ['version 8', upgrade('/ws/notifications').replace('Version: 13', 'Version: 8')],
  ['a short key', upgrade('/ws/notifications').replace(/Key: .*/, 'Key: x')],
  ['POST', upgrade('/ws/notifications', '', 'POST')],
  ['CONNECT', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  [
    'h2c',
    'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  ],
  ['a body', upgrade('/ws/notifications', 'Content-Length: 5\r\n')],
  ['a chunked body', upgrade('/ws/notifications', 'Transfer-Encoding: chunked\r\n')],
  ['Origin null', upgrade('/ws/notifications', 'Origin: null\r\n')],
  ['a foreign Origin', upgrade('/ws/notifications', 'Origin: https://evil.example\r\n')],
  ['an Origin that is none', upgrade('/ws/notifications', 'Origin: ][\r\n')],
  [
    '20 extensions',
    upgrade('/ws/notifications', `Sec-WebSocket-Extensions: ${'permessage-deflate, '.repeat(20)}x\r\n`),
  ],
  ['a bearer in a header', upgrade('/ws/notifications', 'Authorization: Bearer x\r\n')],
];

const heads: Input[] = HEADS.map(([name, text], index) => ({
  name: `upgrading with ${name}`,
  act: async (world) => judge(await world.sendRaw([text], { waitMs: 1500 })),
  short: index < 2,
}));

function judge({ text }: { text: string }): string | null {
  const status = statusOf(text);
  return status === 101 || isServerError({ status }) ? `answered ${status}` : null;
}

const frame = (opcode: number, payload: Buffer, { masked = true, fin = true } = {}) => {
  const { length } = payload;
  const size =
    length < 126
      ? Buffer.from([(masked ? 128 : 0) | length])
      : length < 65_536
        ? Buffer.from([(masked ? 128 : 0) | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([(masked ? 128 : 0) | 127, 0, 0, 0, 0]), uint32(length)]);
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const body = masked ? payload.map((byte, index) => byte ^ mask[index % 4]!) : payload;
  return Buffer.concat([Buffer.from([(fin ? 128 : 0) | opcode]), size, mask, body]);
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Frames that must close the socket or be ignored, sent by a signed-in user. */
const FRAMES: [string, () => Buffer[]][] = [
  ['a text of 1 MiB', () => [frame(1, Buffer.alloc(2 ** 20, 97))]],
  ['5,000 small texts', () => Array.from({ length: 5000 }, () => frame(1, Buffer.from('x')))],
  ['5,000 pings', () => Array.from({ length: 5000 }, () => frame(9, Buffer.from('x')))],
  ['a part without an end', () => [frame(1, Buffer.from('x'), { fin: false })]],
  [
    '10,000 empty parts',
    () => [
      frame(1, Buffer.from('x'), { fin: false }),
      ...Array.from({ length: 10_000 }, () => frame(0, Buffer.alloc(0), { fin: false })),
    ],
  ],
  ['no mask', () => [frame(1, Buffer.from('x'), { masked: false })]],
  ['bytes that are no UTF-8', () => [frame(1, Buffer.from([0xff, 0xfe, 0xfd]))]],
  ['an opcode that is reserved', () => [frame(3, Buffer.from('x'))]],
  ['a close with a wrong code', () => [frame(8, Buffer.from([0, 1]))]],
  ['a close of one byte', () => [frame(8, Buffer.from([3]))]],
  ['a ping of 200 bytes', () => [frame(9, Buffer.alloc(200))]],
  ['a length of 2^63', () => [Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])]],
  ['noise', () => [randomBytes(20_000)]],
  ['JSON that is deep', () => [frame(1, Buffer.from('['.repeat(1000)))]],
];

const frames: Input[] = FRAMES.map(([name, make], index) => ({
  name: `a frame: ${name}`,
  act: async (world) => {
    const { socket } = await openSocket(world, world.users.viewer);
    if (!socket) return 'the socket was not opened';
    for (const piece of make()) socket.write(piece);
    await sleep(300);
    socket.destroy();
    return null;
  },
  short: index < 2,
}));

async function openSocket(
  world: World,
  user: User,
): Promise<{ socket: Socket | null; isOpen: () => boolean }> {
  const { ticket } = (await world.prepare(user, { method: 'POST', path: '/api/auth/ws-ticket' })) as {
    ticket: string;
  };
  const socket = connect(world.server.port, '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    // 0x88: the other side says that it closes.
    if (chunk.includes(0x88)) closed = true;
  });
  socket.write(upgrade(`/ws/notifications?token=${ticket}`));
  for (let round = 0; round < 40 && text === '' && !closed; round++) await sleep(25);
  return { socket: statusOf(text) === 101 ? socket : null, isOpen: () => !closed };
}

export const sockets: Family = {
  name: 'sockets',
  modes: ['default', 'public'],
  inputs: [
    ...targets,
    ...heads,
    ...frames,
    {
      name: '12 sockets of one person: five stay',
      act: async (world) => {
        const user = await world.signUp(`sockets-${world.mode}`);
        const opened = [];
        for (let index = 0; index < 12; index++) opened.push(await openSocket(world, user));
        await sleep(500);
        const open = opened.filter(({ socket, isOpen }) => socket && isOpen()).length;
        for (const { socket } of opened) socket?.destroy();
        return open === 5 ? null : `${open} stay open`;
      },
      short: true,
    },
    {
      name: 'a ticket twice',
      act: async (world) => {
        const { ticket } = (await world.prepare('viewer', {
          method: 'POST',
          path: '/api/auth/ws-ticket',
        })) as { ticket: string };
        const first = await world.sendRaw([upgrade(`/ws/notifications?token=${ticket}`)], {
          waitMs: 400,
        });
        const second = await world.sendRaw([upgrade(`/ws/notifications?token=${ticket}`)], {
          waitMs: 400,
        });
        if (statusOf(first.text) !== 101) return `the first answered ${statusOf(first.text)}`;
        return statusOf(second.text) === 101 ? 'was taken twice' : null;
      },
    },
    {
      name: '300 half upgrades',
      act: async (world) => {
        const opened = Array.from({ length: 300 }, () => connect(world.server.port, '127.0.0.1'));
        for (const socket of opened)
          socket.on('error', () => {}).write('GET /ws/notifications HTTP/1.1\r\nHost: 127');
        await sleep(1500);
        for (const socket of opened) socket.destroy();
        return null;
      },
    },
  ],
};
