import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';

/** The whole environment of PostgreSQL's programs: `PGPORT` and its like must not reach them. */
export const PROGRAM_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

/** The user that PostgreSQL's programs run as. */
export interface PostgresUser {
  /** Owner of the cluster's files, as this process sees it. */
  uid: number;
  /** True where that user cannot pass through folders which this process can. */
  isUnprivileged: boolean;
  /** Command line that changes to the user; with `uid` to another one. */
  become(uid?: number): string[];
}

/** Overflow user ID of the kernel: shared by many services, so nothing may belong to it outside of a namespace. */
const OVERFLOW_UID = 65534;

/**
 * Unused ranges by systemd's allocation of user ids: one of 2^28 ids for a folder of its own; the small range serves
 * containers that map 65,536 ids only.
 */
const UID_RANGES = [
  { first: 0x7000_0000, count: 0x0fff_fffe },
  { first: 60_706, count: 478 },
];

/**
 * Chooses the user, since PostgreSQL refuses to run as root. In a user namespace it sees the overflow user while the
 * kernel takes it for root without capabilities. Where namespaces are not allowed (many containers, or
 * `userNamespaces: false`), it gets a user id of its own, derived from the cluster's path, and no capability.
 */
export function choosePostgresUser(cluster: string, { userNamespaces = true } = {}): PostgresUser {
  const own = process.getuid?.() ?? 0;
  if (own !== 0 || process.platform !== 'linux') return { uid: own, isUnprivileged: false, become: () => [] };
  const namespace = ['unshare', '--user', `--map-user=${OVERFLOW_UID}`, `--map-group=${OVERFLOW_UID}`];
  if (userNamespaces && canRun([...namespace, 'true'])) {
    return { uid: 0, isUnprivileged: false, become: () => namespace };
  }
  const number = createHash('sha256').update(cluster).digest().readUInt32BE();
  const candidates = UID_RANGES.map(({ first, count }) => first + (number % count));
  const uid = candidates.find((candidate) => canRun([...setUser(candidate), 'true']));
  if (uid === undefined) {
    throw new AppError('unavailable', 'postgres_refuses_root', { reason: 'embedded_postgres_failed' });
  }
  return { uid, isUnprivileged: true, become: (other = uid) => setUser(other) };
}

function setUser(uid: number): string[] {
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  return [...user, '--inh-caps=-all', '--no-new-privs', '--'];
}

/** True if the command ends with 0. */
export function canRun([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { env: PROGRAM_ENV, stdio: 'ignore' }).status === 0;
}

/**
 * Finds an account that `initdb` can run as: it asks for the name of its user. One of the system's accounts without a
 * shell and without a process; it owns the new files for that moment alone.
 */
export function findIdleAccount(): number {
  const used = new Set(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid),
  );
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [, , id, , , , shell = ''] = line.split(':');
    const uid = Number(id);
    if (uid > 0 && uid !== OVERFLOW_UID && /\/(?:nologin|false)$/.test(shell) && !used.has(uid)) return uid;
  }
  throw new AppError('unavailable', 'postgres_no_spare_user', { reason: 'embedded_postgres_failed' });
}

/**
 * Makes a user the owner of a folder and everything in it. Only root can, so it follows no link: each folder is root's
 * own before its entries are looked at, so no other user can exchange them meanwhile. Throws `conflict` for an entry that
 * is a link or has another name elsewhere.
 */
export async function giveFolder(folder: string, uid: number): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid: present } = await requirePlain(folder);
  // It changes last, so everything below has changed already.
  if (present !== uid) await giveEntries(folder, uid);
}

async function giveEntries(folder: string, uid: number): Promise<void> {
  await lchown(folder, 0, 0);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await requirePlain(path)).isDirectory()) await giveEntries(path, uid);
    else await lchown(path, uid, uid);
  }
  await lchown(folder, uid, uid);
}

async function requirePlain(path: string) {
  const stats = await lstat(path);
  if (stats.isDirectory() || (stats.isFile() && stats.nlink === 1)) return stats;
  throw new AppError('conflict', 'postgres_folder_has_link', {
    params: { path },
    reason: 'symlink_in_cluster',
  });
}
