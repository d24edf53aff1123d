import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SSHD, serveSsh } from '#git/testing-remotes.ts';
import { type Input, LeftOut } from './family.ts';
import { serveRaw } from './raw-server.ts';
import type { World } from './world.ts';

/** Creates an SSH key pair. */
function makeKey(): { privateKey: string; publicKey: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-attack-key-'));
  try {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    return { privateKey: read('key'), publicKey: read('key.pub') };
  } catch {
    throw new LeftOut('ssh-keygen is missing: install openssh-client');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Misbehaving SSH servers by description. */
const SERVER_BEHAVIORS: Record<string, (socket: Socket) => void> = {
  'says nothing': () => {},
  'says its name and nothing more': (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
  'greets without an end': (socket) => repeatUntilClosed(socket, 'this is not ssh yet\r\n'.repeat(500)),
  'greets in one line without an end': (socket) => repeatUntilClosed(socket, 'a'.repeat(16_000)),
  'sends noise for keys': (socket) => {
    socket.write('SSH-2.0-OpenSSH_9.9\r\n');
    repeatUntilClosed(socket, '\x00\x00\x80\x00\x04\x14'.repeat(2000));
  },
  'announces a packet of 4 GiB': (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n\xff\xff\xff\xff\x04\x14'),
  'is version 1': (socket) => socket.write('SSH-1.5-x\r\n'),
  'hangs up at once': (socket) => socket.destroy(),
};

function repeatUntilClosed(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else if (socket.writableLength < 2 ** 20) socket.write(text);
  }, 10);
}

const connectBody = (url: string, privateKey: string) => ({
  name: 'over ssh',
  git_url: url,
  credential: { kind: 'ssh', private_key: privateKey },
});

const hostile: Input[] = Object.entries(SERVER_BEHAVIORS).map(([name, behave], index) => ({
  name: `an ssh server that ${name}`,
  modes: ['default'],
  act: async (world) => {
    const { privateKey } = makeKey();
    const server = await serveRaw(world.slowPorts[1]!, behave);
    try {
      const attacker = await world.signUp(`ssh-${index}`);
      const body = connectBody(`ssh://git@127.0.0.1:${world.slowPorts[1]}/r.git`, privateKey);
      const reply = await world.send(attacker, { method: 'POST', path: '/api/projects', body });
      if (reply.status !== 201) return null;
      const { id } = JSON.parse(reply.text) as { id: string };
      await sleep(2000);
      await world.send(attacker, { method: 'DELETE', path: `/api/projects/${id}` });
      const open = await server.drain();
      return open === 0 ? null : `${open} connections stay open 3 s after the project was deleted`;
    } finally {
      server.close();
    }
  },
  short: index === 0,
}));

/** Serves the small repository by a real sshd, then changes its host key, which must not be trusted. */
async function realServer(world: World): Promise<string | null> {
  if (SSHD === undefined) throw new LeftOut('sshd is missing: install openssh-server');
  const { privateKey, publicKey } = makeKey();
  const ssh = await serveSsh(publicKey, world.slowPorts[1]);
  try {
    const user = await world.signUp('ssh-real');
    const { path } = world.repositories.open('small');
    const body = connectBody(`${ssh.url}${path}`, privateKey);
    const { id } = (await world.prepare(user, { method: 'POST', path: '/api/projects', body })) as {
      id: string;
    };
    const first = await world.untilIndexed(user, id, 60_000);
    if (first !== 'ready') return `a clone over ssh is ${first}`;
    await ssh.changeHostKey();
    await world.prepare(user, { method: 'POST', path: `/api/projects/${id}/refresh` });
    await world.untilIndexed(user, id, 60_000);
    const { text } = await world.send(user, { path: `/api/projects/${id}` });
    return JSON.parse(text).failure === null ? 'another host key was trusted' : null;
  } finally {
    await ssh.close();
  }
}

/** Hostile ssh servers, and a real one. */
export const SSH_INPUTS: readonly Input[] = [
  ...hostile,
  { name: 'a clone over ssh from a real sshd, then another host key', modes: ['default'], act: realServer },
];
