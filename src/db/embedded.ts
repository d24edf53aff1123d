import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';
import { readOrCreateSecret } from '#secrets/secret-file.ts';
import {
  createCluster,
  findRunningSocket,
  makeSocketFolder,
  readClusterVersion,
  stopOrphan,
} from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { supervise } from './postgres-process.ts';
import { findPrograms, type Programs } from './postgres-programs.ts';
import { createServerRole, isSetUp, openForSetup, serverUrl } from './server-role.ts';

/** The file beside the cluster that holds the password of the server's role; never part of a backup. */
export const PASSWORD_FILE = 'postgres-password';

interface Embedded {
  /** Connection string over a Unix socket; there is no TCP port. */
  url: string;
  /** Shuts down in order (connections are cut, nothing committed is lost) and lets go of the folder. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  dataDir: string;
  log: Logger;
  settings?: Record<string, string>;
  /** Lets the role create databases: for tests. */
  createDatabases?: boolean;
  /** False: as on a machine that does not allow user namespaces. */
  userNamespaces?: boolean;
  /** Folder of other programs than those of the package: to upgrade a cluster that an earlier version made. */
  programsFolder?: string;
  /** Called when PostgreSQL met a full disk; it starts again as soon as there is room. */
  onDiskFull?: () => void;
  onLost?: (error: unknown) => void;
  /** Called when PostgreSQL has been launched and does not accept connections yet. */
  onLaunch?: () => void;
}

/**
 * Starts the PostgreSQL that comes with the program on `<dataDir>/postgres`, which it makes at first. When the
 * server dies it is started again; `onLost` hears of it when that fails too. Call it from the main thread:
 * Linux ends the server together with the thread that started it.
 * Throws `conflict` when another process has the folder, `unavailable` with PostgreSQL's words otherwise.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const cluster = resolve(options.dataDir, 'postgres');
  const undo: (() => unknown)[] = [lockFolder(cluster)];
  const stop = async () => {
    while (undo.length > 0) await undo.pop()?.();
  };
  try {
    return { url: await open(cluster, { ...options, undo }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Time for a server that is starting to accept connections. */
const READY_TIMEOUT_MS = 60_000;

/**
 * Runs work on the cluster of a data folder: on the server that has it running, else on one that is started for this time.
 * Throws `conflict` where there is no cluster.
 */
export async function withEmbedded<T>(
  options: Pick<EmbeddedOptions, 'dataDir' | 'log'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const cluster = resolve(options.dataDir, 'postgres');
  if ((await readClusterVersion(cluster)) === null) throw new AppError('conflict', 'backup_database_empty');
  const embedded = await startEmbedded(options).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'already_running') return null;
    throw error;
  });
  if (embedded === null) return await work(await findRunningUrl(cluster));
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

async function findRunningUrl(cluster: string): Promise<string> {
  const end = performance.now() + READY_TIMEOUT_MS;
  while (true) {
    const sockets = await findRunningSocket(cluster);
    const password = readOrCreateSecret(join(cluster, '..', PASSWORD_FILE));
    if (sockets !== null && (await isSetUp(cluster, password))) return serverUrl(sockets, password);
    if (performance.now() > end)
      throw new AppError('unavailable', 'database_unreachable', { reason: 'embedded_postgres_failed' });
    await sleep(250);
  }
}

async function open(cluster: string, options: EmbeddedOptions & { undo: (() => unknown)[] }) {
  const { log, undo, userNamespaces, programsFolder: folder } = options;
  const programs = await findPrograms(cluster, { userNamespaces, ...(folder && { folder }) });
  await requireVersion(cluster, programs);
  const { uid } = programs.user;
  await stopOrphan(cluster, log);
  await createCluster(cluster, programs);
  const password = readOrCreateSecret(join(cluster, '..', PASSWORD_FILE));
  const isReady = await isSetUp(cluster, password);
  if (!isReady) await openForSetup(cluster, uid);
  const sockets = await makeSocketFolder(programs);
  undo.push(() => rm(sockets, { recursive: true, force: true }));
  const command = serverCommand({ programs, cluster, sockets, settings: options.settings });
  const { onDiskFull, onLost, onLaunch } = options;
  const server = await supervise({ command, cluster, log, onDiskFull, onLost, onLaunch });
  undo.push(server.stop);
  if (!isReady) {
    const { createDatabases = false } = options;
    const { reload } = server;
    await createServerRole({ cluster, sockets, password, uid, createDatabases, reload });
  }
  return serverUrl(sockets, password);
}

/** Throws `conflict` for a cluster of another major version, which PostgreSQL cannot open. */
async function requireVersion(cluster: string, { version }: Programs): Promise<void> {
  const found = await readClusterVersion(cluster);
  if (found === null || found === version || Number.isNaN(version)) return;
  throw new AppError('conflict', 'postgres_other_version', {
    params: { folder: cluster, found, expected: version },
    reason: 'postgres_other_version',
  });
}

function serverCommand(options: {
  programs: Programs;
  cluster: string;
  sockets: string;
  settings: Record<string, string> | undefined;
}): string[] {
  const { programs, cluster, sockets, settings } = options;
  const all = {
    listen_addresses: '',
    unix_socket_directories: `"${sockets}"`,
    unix_socket_permissions: '0700',
    max_connections: '160',
    // Small, so that a disk which is nearly full still has room for the log of what is being written.
    min_wal_size: '32MB',
    max_wal_size: '128MB',
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // SIGINT asks PostgreSQL for a fast shutdown.
  return [...programs.prefix('INT'), programs.postgres, '-D', programs.ownPath(cluster), ...flags];
}
