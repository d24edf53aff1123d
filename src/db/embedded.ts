import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, mkdir, readdir, readFile, readlink, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';
import { lockFolder } from './folder-lock.ts';
import { findPrograms, PROGRAM_ENV, type Programs } from './postgres-programs.ts';

/** The longest path of a socket that every system takes, less PostgreSQL's `/.s.PGSQL.5432`. */
const LONGEST_SOCKET_FOLDER = 103 - 14;

/** Starts that may fail in a row before a PostgreSQL that keeps dying is given up. */
const RESTARTS = 5;

export interface Embedded {
  /** Connection string over a Unix socket; there is no TCP port. */
  url: string;
  /** Shuts down in order (connections are cut, nothing committed is lost) and lets go of the folder. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the program on `<dataDir>/postgres`, which it makes at first. When the
 * server dies it is started again; `onLost` hears of it when that fails too. Call it from the main thread:
 * Linux ends the server together with the thread that started it.
 * Throws `conflict` when another process has the folder, `unavailable` with PostgreSQL's words otherwise.
 */
export async function startEmbedded(options: {
  dataDir: string;
  log: Logger;
  settings?: Record<string, string>;
  onLost?: (error: unknown) => void;
}): Promise<Embedded> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const cluster = resolve(options.dataDir, 'postgres');
  const unlock = lockFolder(cluster);
  try {
    const programs = await findPrograms();
    await stopOrphan(cluster, options.log);
    await createCluster(cluster, programs);
    const sockets = await makeSocketFolder(cluster, programs.owner);
    const command = serverCommand(programs, cluster, sockets, options.settings ?? {});
    const server = await supervise({ command, cluster, log: options.log, onLost: options.onLost });
    return {
      url: `postgres://hindsight@/postgres?host=${encodeURIComponent(sockets)}`,
      stop: async () => {
        await server.stop();
        await rm(sockets, { recursive: true, force: true });
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function serverCommand(
  programs: Programs,
  cluster: string,
  sockets: string,
  settings: Record<string, string>,
): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: `"${sockets}"`,
    unix_socket_permissions: '0700',
    max_connections: '60',
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // SIGINT asks PostgreSQL for a fast shutdown.
  return [...programs.prefix('INT'), programs.postgres, '-D', cluster, ...flags];
}

/**
 * A server of this folder that is still alive lost its parent, since the folder's lock is ours: it is shut down,
 * never adopted. The file that it left is removed, because its process number may belong to anybody by now.
 */
async function stopOrphan(cluster: string, log: Logger): Promise<void> {
  const pid = Number((await readPidFile(cluster))[0]);
  if (pid > 0 && (await runsIn(pid, cluster))) {
    log.warn({ pid }, 'stopping a PostgreSQL that an earlier run left behind');
    process.kill(pid, 'SIGINT');
    while (await runsIn(pid, cluster)) await sleep(20);
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Whether the process works in this folder: PostgreSQL makes its data folder the current one. */
async function runsIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === folder;
  }
  const command = await output('ps', ['-o', 'command=', '-p', String(pid)]);
  return command.includes(` -D ${folder} `);
}

async function output(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { env: PROGRAM_ENV, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks = await child.stdout.toArray();
  return Buffer.concat(chunks).toString();
}

/** Lines: pid, data folder, start, port, socket folder, address, shared memory, status. */
async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

/** Made aside and renamed, so that a half-made cluster is never taken for one. */
async function createCluster(cluster: string, programs: Programs): Promise<void> {
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (made !== null) return giveTo(cluster, programs.owner);
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(draft, programs.owner);
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=hindsight', '--auth=trust', '--no-instructions'];
  const command = [...programs.prefix('KILL'), programs.initdb, '-D', draft, ...encoding, ...access];
  const child = start(command);
  const words = collectWords(child);
  const code = await exitOf(child);
  if (code !== 0) throw failed('could not make its folder', words());
  await rename(draft, cluster);
}

/** PostgreSQL insists on owning its folder. Only root can be somebody else, and so give it away. */
async function giveTo(folder: string, owner: number): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await chown(folder, owner, owner);
  for (const entry of await readdir(folder, { recursive: true }))
    await chown(join(folder, entry), owner, owner);
}

/** The temporary folder's path is short; a socket's path may have 103 bytes. */
async function makeSocketFolder(cluster: string, owner: number): Promise<string> {
  const name = `hindsight-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const wanted = join(tmpdir(), name);
  const folder = wanted.length <= LONGEST_SOCKET_FOLDER ? wanted : join('/tmp', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (process.getuid?.() === 0) await chown(folder, owner, owner);
  return folder;
}

/** Keeps the server running until `stop`; resolves when it first accepts connections. */
async function supervise(options: {
  command: string[];
  cluster: string;
  log: Logger;
  onLost: ((error: unknown) => void) | undefined;
}): Promise<{ stop(): Promise<void> }> {
  let stopping = false;
  let current = await launch(options);
  const watch = async (): Promise<void> => {
    while (true) {
      const code = await current.ended;
      if (stopping) return;
      options.log.error({ code, words: current.words() }, 'PostgreSQL ended unexpectedly; starting it again');
      current = await launch(options);
      // Asked to stop meanwhile: what was told to end was the dead one.
      if (stopping) current.child.kill('SIGINT');
    }
  };
  const watching = watch().catch((error: unknown) => {
    options.log.error({ error }, 'PostgreSQL could not be started again');
    options.onLost?.(error);
  });
  return {
    stop: async () => {
      stopping = true;
      current.child.kill('SIGINT');
      await watching;
    },
  };
}

interface Launched {
  child: ChildProcess;
  ended: Promise<number | null>;
  words(): string;
}

/**
 * After the postmaster alone was killed, its backends hold the shared memory for a moment and the next start
 * is refused: hence several attempts.
 */
async function launch({ command, cluster, log }: { command: string[]; cluster: string; log: Logger }) {
  for (let attempt = 1; ; attempt++) {
    const child = start(command);
    const server: Launched = { child, ended: exitOf(child), words: collectWords(child, log) };
    if (await becomesReady(server, cluster)) return server;
    if (attempt === RESTARTS) throw failed('did not start', server.words());
    await sleep(200 * attempt);
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

async function becomesReady({ child, ended }: Launched, cluster: string): Promise<boolean> {
  let alive = true;
  void ended.then(() => {
    alive = false;
  });
  while (alive) {
    const lines = await readPidFile(cluster);
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await sleep(10);
  }
  return false;
}

/** Detached: a Ctrl-C in the terminal must reach PostgreSQL through us, after its clients have gone. */
function start([program = '', ...args]: string[]): ChildProcess {
  return spawn(program, args, {
    cwd: '/',
    detached: true,
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((settle) => {
    child.once('exit', settle);
    child.once('error', () => settle(null));
  });
}

/** Passes what the program says to the log and keeps its last 20 lines. */
function collectWords(child: ChildProcess, log?: Logger): () => string {
  const last: string[] = [];
  child.once('error', (error) => last.push(error.message));
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log?.debug({ postgres: line });
      last.push(line);
      if (last.length > 20) last.shift();
    });
  }
  return () => last.join('\n');
}

function failed(what: string, words: string): AppError {
  const help = words.includes('Permission denied')
    ? ' Started as root without user namespaces, PostgreSQL runs as another user: start Hindsight as an ordinary' +
      ' user, or put it and DATA_DIR into folders that others may enter.'
    : ' Point DATABASE_URL at another PostgreSQL if this one cannot run here.';
  return new AppError('unavailable', `The embedded PostgreSQL ${what}.${help}\n${words}`, {
    reason: 'embedded_postgres',
  });
}
