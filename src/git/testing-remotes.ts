import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, isIP } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A certificate for a host that only `file` vouches for. */
export function makeCertificate(host = '127.0.0.1'): {
  key: string;
  cert: string;
  file: string;
  remove(): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-tls-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = `subjectAltName=${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`;
  const subject = ['-days', '2', '-subj', `/CN=${host}`, '-addext', name];
  execFileSync('openssl', [...args, '-keyout', keyFile, '-out', file, ...subject], { stdio: 'ignore' });
  const read = (path: string) => readFileSync(path, 'utf8');
  return { key: read(keyFile), cert: read(file), file, remove: () => rm(folder, { recursive: true }) };
}

/** A real sshd on loopback that serves this user's files to one key. */
export interface SshServer {
  /** `ssh://user@127.0.0.1:port`, to be followed by an absolute path. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** From now on it shows another host key. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
}

/** Path of sshd by distribution; it refuses to start by a relative path. */
export const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) => {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
});

/** Starts sshd, on a free port where none is given; `publicKey` alone may come in. */
export async function serveSsh(publicKey: string, preferredPort?: number): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-sshd-'));
  const file = (name: string) => join(folder, name);
  const port = preferredPort ?? (await freePort());
  // sshd wants this folder when it is started by root.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  writeFileSync(file('authorized_keys'), `${publicKey}\n`, { mode: 0o600 });
  const lines = [
    ...['ListenAddress 127.0.0.1', `Port ${port}`, `HostKey ${file('host')}`, 'PidFile none'],
    ...[`AuthorizedKeysFile ${file('authorized_keys')}`, 'StrictModes no', 'UsePAM no'],
    ...['PasswordAuthentication no', 'UseDNS no', 'PermitRootLogin prohibit-password', 'LogLevel ERROR'],
  ];
  writeFileSync(file('config'), `${lines.join('\n')}\n`);
  const start = async () => {
    await rm(file('host'), { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('host')]);
    const child = spawn(SSHD!, ['-D', '-e', '-f', file('config')], { stdio: 'ignore' });
    await untilListening(port);
    return child;
  };
  let child = await start();
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  };
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    async changeHostKey() {
      await stop();
      child = await start();
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Command lines of every process, read again and again until `stop`: what anybody on the machine could have seen. */
export function watchCommandLines(): { stop(): string } {
  const seen = new Set<string>();
  const look = () => {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      seen.add(commandLine(id).replaceAll('\0', ' '));
    }
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      return [...seen].join('\n');
    },
  };
}

/** Returns a loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let round = 0; round < 1_200; round++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await sleep(25);
  }
  throw new Error('sshd did not start');
}

/** A git server over plain http whose list of branches never ends. */
export interface EndlessServer {
  readonly url: string;
  readonly host: string;
  /** Connections that are being answered. */
  readonly open: number;
  close(): Promise<void>;
}

/** Starts a server that sends its endless list of branches at this rate. */
export async function serveEndlessRefs({ bytesPerS }: { bytesPerS: number }): Promise<EndlessServer> {
  const timers = new Set<NodeJS.Timeout>();
  let sent = 0;
  const server = createHttpServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    reply.write(`001e# service=git-upload-pack\n0000${packetLine(`${'1'.repeat(40)} HEAD\0agent=slow\n`)}`);
    const timer = setInterval(() => {
      let lines = '';
      while (lines.length < bytesPerS / 4) {
        lines += packetLine(`${'1'.repeat(40)} refs/heads/branch-${sent++}\n`);
      }
      reply.write(lines);
    }, 250);
    timers.add(timer);
    reply.once('close', () => {
      clearInterval(timer);
      timers.delete(timer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    get open() {
      return timers.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Four hexadecimal digits count the line with themselves. */
function packetLine(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}

/** Ids of the running git children whose command line holds this text. */
export function gitChildren(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
    .map(Number);
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}
