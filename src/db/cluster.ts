import { lchown, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isRunningIn } from './cluster-processes.ts';
import { keepLastLines, postgresFailed, startProgram, waitForExit } from './postgres-process.ts';
import type { Programs } from './postgres-programs.ts';
import { findIdleAccount, giveFolder } from './postgres-user.ts';
import { SUPERUSER } from './server-role.ts';

/** The longest path of a socket that every system takes, less PostgreSQL's `/.s.PGSQL.5432`. */
const MAX_SOCKET_FOLDER_LENGTH = 103 - 14;

const SOCKET_FOLDER_PREFIX = 'hindsight-';

/** Lines: pid, data folder, start, port, socket folder, address, shared memory, status. */
async function readPidFile(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n');
}

/** Folder of the socket of a server that runs on this cluster and accepts connections; null where none does. */
export async function findRunningSocket(cluster: string): Promise<string | null> {
  const [pid, , , , sockets = '', , , status = ''] = await readPidFile(cluster);
  const isReady = status.trim() === 'ready' && (await isRunningIn(Number(pid), cluster));
  return isReady && sockets !== '' ? sockets : null;
}

/** Major version of PostgreSQL that a cluster was made by; null where there is no cluster. */
export async function readClusterVersion(cluster: string): Promise<number | null> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  return version === null ? null : Number(version);
}

/**
 * A server of this folder that is still alive lost its parent, since the folder's lock is ours: it is shut down,
 * never adopted. The file that it left is removed, because its process number may belong to anybody by now.
 */
export async function stopOrphan(cluster: string, log: Logger): Promise<void> {
  const [first, , , , sockets = ''] = await readPidFile(cluster);
  const pid = Number(first);
  if (pid > 0 && (await isRunningIn(pid, cluster))) {
    log.warn({ pid }, 'stopping a PostgreSQL that an earlier run left behind');
    process.kill(pid, 'SIGINT');
    while (await isRunningIn(pid, cluster)) await sleep(20);
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  await removeSocketFolder(sockets, (await lstat(cluster).catch(() => null))?.uid);
}

/** Makes the cluster where there is none: aside and renamed, so that a half-made one is never taken for one. */
export async function createCluster(cluster: string, programs: Programs): Promise<void> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version !== null) return await giveFolder(cluster, programs.user.uid);
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const creator = programs.user.isUnprivileged ? findIdleAccount() : programs.user.uid;
  await giveFolder(draft, creator);
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  // Small files of the log: a new one is what a disk that is nearly full has no room for.
  const log = '--wal-segsize=4';
  const access = [`--username=${SUPERUSER}`, '--auth=reject', '--no-instructions'];
  const words = [...programs.prefix('KILL', creator), programs.initdb, '-D', programs.ownPath(draft)];
  const child = startProgram([...words, ...encoding, log, ...access], draft);
  const lastLines = keepLastLines(child);
  const code = await waitForExit(child);
  if (code !== 0) throw postgresFailed('init', lastLines());
  await giveFolder(draft, programs.user.uid);
  await rename(draft, cluster);
}

/**
 * Makes a folder for the socket under a random name, which no one can create first. The temporary folder's path is short;
 * a socket's path may have 103 bytes, and PostgreSQL's user must be able to reach it.
 */
export async function makeSocketFolder({ user }: Programs): Promise<string> {
  const wanted = join(tmpdir(), `${SOCKET_FOLDER_PREFIX}000000`);
  const parent = wanted.length <= MAX_SOCKET_FOLDER_LENGTH && !user.isUnprivileged ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(parent, SOCKET_FOLDER_PREFIX));
  if (process.getuid?.() === 0) await lchown(folder, user.uid, user.uid);
  return folder;
}

/** Removes the socket that a killed run left, and its folder once that is empty: the name was read from a file. */
async function removeSocketFolder(folder: string, owner: number | undefined): Promise<void> {
  if (!folder.startsWith('/') || !basename(folder).startsWith(SOCKET_FOLDER_PREFIX)) return;
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory() || stats.uid !== owner) return;
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(folder, name), { force: true });
  await rmdir(folder).catch(() => {});
}
