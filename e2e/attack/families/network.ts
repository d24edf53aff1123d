import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Family, Input } from '../family.ts';
import { type RawServer, serveRaw } from '../raw-server.ts';
import { SSH_INPUTS } from '../ssh.ts';
import type { World } from '../world.ts';

/*
 * Git servers that respond slowly, hang or never end. Invariants: other users' repositories are indexed meanwhile, and a
 * deleted project closes its connections within seconds.
 */

/** Response of the server to a request, until the client disconnects. */
type Respond = (socket: Socket, isOpen: () => boolean) => Promise<void>;

const HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const line = (text: string) => `${(text.length + 5).toString(16).padStart(4, '0')}${text}\n`;

const SERVER_BEHAVIORS: Record<string, Respond> = {
  'an endless list of branches at 2 KB a second': async (socket, isOpen) => {
    socket.write(HEAD + chunk(`${line('# service=git-upload-pack')}0000`));
    for (let index = 0; isOpen(); index++) {
      const refs = Array.from({ length: 6 }, (_, n) => line(`${'1'.repeat(40)} refs/heads/b${index}-${n}`));
      socket.write(chunk(refs.join('')));
      await sleep(200);
    }
  },
  'no answer at all': async (_socket, isOpen) => {
    while (isOpen()) await sleep(200);
  },
  'a head without an end': async (socket, isOpen) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let index = 0; isOpen(); index++) {
      socket.write(`X-Header-${index}: ${'a'.repeat(200)}\r\n`);
      await sleep(100);
    }
  },
  'an endless list at full speed': async (socket, isOpen) => {
    socket.write(HEAD + chunk(`${line('# service=git-upload-pack')}0000`));
    const refs = Array.from({ length: 500 }, (_, n) =>
      line(`${'1'.repeat(40)} refs/heads/${'n'.repeat(100)}${n}`),
    ).join('');
    for (let sent = 0; isOpen() && sent < 400 * 2 ** 20; sent += refs.length) {
      if (!socket.write(chunk(refs)))
        await Promise.race([new Promise((next) => socket.once('drain', next)), sleep(500)]);
    }
  },
};

const slow: Input[] = Object.entries(SERVER_BEHAVIORS).map(([name, behave], index) => ({
  name,
  act: async (world) => {
    const port = world.slowPorts[0]!;
    const host = await serveRaw(port, (socket) => {
      socket.once('data', () => void behave(socket, () => !socket.destroyed));
    });
    try {
      return await findBlocked(world, port, host, index);
    } finally {
      host.close();
    }
  },
  short: index === 0,
}));

/** Adds two projects of one user on the slow server and one of another user on a fast server, then deletes the two. */
async function findBlocked(
  world: World,
  port: number,
  host: RawServer,
  index: number,
): Promise<string | null> {
  const attacker = await world.signUp(`slow-${index}-${world.mode}`);
  const ids: string[] = [];
  for (let number = 0; number < 3; number++) {
    const body = { name: `slow ${number}`, git_url: `http://127.0.0.1:${port}/r${number}.git` };
    const reply = await world.send(attacker, {
      method: 'POST',
      path: '/api/projects',
      body,
      timeoutMs: 20_000,
    });
    if (reply.status === 201) ids.push((JSON.parse(reply.text) as { id: string }).id);
  }
  await sleep(1500);
  const other = await world.signUp(`waits-${index}-${world.mode}`);
  const began = performance.now();
  const { status } = await world.connect(
    other,
    'one',
    (repo) => repo.commit({ files: { 'a.js': 'a();\n' } }),
    { timeoutMs: 20_000 },
  );
  const waited = Math.round(performance.now() - began);
  for (const id of ids) await world.send(attacker, { method: 'DELETE', path: `/api/projects/${id}` });
  const open = await host.drain();
  const problems = [
    status === 'ready' ? null : `another user's project is ${status} after ${waited} ms`,
    open === 0 ? null : `${open} connections stay open 3 s after their projects were deleted`,
  ];
  return problems.filter(Boolean).join('; ') || null;
}

export const network: Family = {
  name: 'network',
  modes: ['default', 'public'],
  inputs: [...slow, ...SSH_INPUTS],
};
