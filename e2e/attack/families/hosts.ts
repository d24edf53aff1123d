import { statusOf } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { World } from '../world.ts';

/*
 * Host names that are not the server's: a page whose name was pointed at this machine must reach nothing. What must hold:
 * 421 (or a refusal of the parser) and no account.
 */

const FOREIGN = [
  ...[
    'evil.example',
    'evil.example:PORT',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a.localhost.evil',
  ],
  ...[
    'evil',
    'metadata.google.internal',
    'xn--e1awd7f.example',
    '127.0.0.1@evil.example',
    'evil.example.',
    '2130706433x',
  ],
  ...['0x7f.evil', 'localhostx', 'xlocalhost', '127.0.0.1.nip.io'],
];

const OWN = [
  'localhost',
  'localhost:PORT',
  '127.0.0.1',
  '127.0.0.1:PORT',
  '[::1]:PORT',
  '192.168.1.5:PORT',
  'LOCALHOST',
];

let names = 0;

const foreign: Input[] = FOREIGN.flatMap((host, index) => [
  {
    name: `signing up as ${host}`,
    act: async (world) => {
      const name = host.replace('PORT', String(world.server.port));
      const status = await ask(world, name, {
        method: 'POST',
        path: '/api/auth/register',
        origin: `http://${name}`,
      });
      return status === 421 || status === 400 ? null : `answered ${status} instead of 421`;
    },
    short: index < 2,
  },
  {
    name: `a page as ${host}`,
    act: async (world) => {
      const status = await ask(world, host.replace('PORT', String(world.server.port)), {
        method: 'GET',
        path: '/login',
      });
      return status === 421 || status === 400 ? null : `answered ${status} instead of 421`;
    },
    short: index === 0,
  },
]);

const own: Input[] = OWN.map((host) => ({
  name: `the server's own name ${host}`,
  act: async (world) => {
    const status = await ask(world, host.replace('PORT', String(world.server.port)), {
      method: 'GET',
      path: '/healthz',
    });
    return status === 200 ? null : `answered ${status} instead of 200`;
  },
  short: true,
}));

/** Heads that name no host, or two. */
const HEADS: [string, string, number[]][] = [
  ['no Host', 'GET /api/payments/plans HTTP/1.1\r\nConnection: close\r\n\r\n', [400, 421]],
  [
    'two Hosts',
    'GET /api/payments/plans HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    [400, 421],
  ],
  ['an empty Host', 'GET /api/payments/plans HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', [400, 421]],
  [
    'an absolute target of another host',
    'GET http://evil.example/api/payments/plans HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    [400, 404, 421],
  ],
  [
    'a forwarded host',
    'GET /api/payments/plans HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost\r\nConnection: close\r\n\r\n',
    [400, 421],
  ],
  [
    'a WebSocket with a foreign host',
    'GET /ws/notifications?token=x HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    [400, 421],
  ],
  [
    'MCP with a foreign host',
    'POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    [400, 421],
  ],
];

const heads: Input[] = HEADS.map(([name, text, allowed]) => ({
  name,
  act: async (world) => {
    const { text: reply } = await world.sendRaw([text], { waitMs: 1500 });
    const status = statusOf(reply);
    return status === null || allowed.includes(status)
      ? null
      : `answered ${status} instead of ${allowed.join(' or ')}`;
  },
}));

export const hosts: Family = {
  name: 'hosts',
  modes: ['default', 'public'],
  inputs: [...foreign, ...own, ...heads],
};

async function ask(
  world: World,
  host: string,
  { method, path, origin }: { method: string; path: string; origin?: string },
): Promise<number | null> {
  names += 1;
  const account = {
    username: `rebound${names}`,
    email: `rebound${names}@example.org`,
    password: 'a quiet harbour at dawn',
  };
  const body = method === 'POST' ? JSON.stringify(account) : '';
  const lines = [
    ...[`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...(origin ? [`Origin: ${origin}`] : [])],
    ...['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'],
  ];
  const { text } = await world.sendRaw([`${lines.join('\r\n')}\r\n\r\n${body}`], { waitMs: 5000 });
  return statusOf(text);
}
