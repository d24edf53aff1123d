import { constants } from 'node:fs';
import { access, lstat, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { PASSWORD_FILE } from '#db/embedded.ts';
import { readGitVersion } from '#git/version.ts';
import { findSandbox } from '#sandbox/commands/find-sandbox.ts';
import { type Examination, type Finding, failure, ok, warning } from './check.ts';

const MIN_NODE = 24;
const GIGABYTE = 1e9;
/** Share of a disk below which a large repository or a backup may fill it. */
const LOW_SHARE = 0.05;
const MIN_INODES = 10_000;
/** Every WebSocket and repository takes descriptors. */
const MIN_OPEN_FILES = 4096;

/** Examinations of the machine and the data folder. */
export function machineChecks(config: Config): Examination[] {
  return [
    { name: 'node', run: async () => checkNode() },
    { name: 'git', run: async () => ok(`git ${await readGitVersion()}`) },
    { name: 'disk', run: () => checkDisk(config) },
    { name: 'permissions', run: () => checkPermissions(config) },
    { name: 'open files', run: checkOpenFiles },
    { name: 'sandbox', run: () => checkSandbox(config) },
  ];
}

function checkNode(): Finding {
  const { node } = process.versions;
  const text = `Node ${node}`;
  if (Number(node.split('.')[0]) >= MIN_NODE) return ok(text);
  return failure(text, `The server needs Node ${MIN_NODE}; \`npm start\` downloads it.`);
}

async function checkDisk({ dataDir, diskReserveMb }: Config): Promise<Finding> {
  const { bavail, bsize, blocks, files, ffree } = await statfs(dataDir);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const text = `${(free / GIGABYTE).toFixed(1)} of ${(total / GIGABYTE).toFixed(1)} GB free at ${dataDir}`;
  const advice =
    'Free some space, or move DATA_DIR to a larger disk: writes are refused while the disk is full.';
  if (free < diskReserveMb * 2 ** 20) return failure(text, advice);
  if (free < Math.max(GIGABYTE, total * LOW_SHARE)) return warning(text, advice);
  if (files > 0 && ffree < MIN_INODES)
    return warning(
      `${ffree} inodes free at ${dataDir}`,
      'Delete many small files, or move DATA_DIR to another disk.',
    );
  return ok(text);
}

/** Secrets must be readable by their owner only, and the folder writable by the server's user. */
async function checkPermissions({ dataDir, secretKey }: Config): Promise<Finding> {
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const uid = process.getuid?.() ?? 0;
  const names = ['.', ...(secretKey === null ? ['secret-key'] : []), PASSWORD_FILE];
  for (const name of names) {
    const path = join(dataDir, name);
    const stats = await lstat(path).catch(() => null);
    if (stats === null) continue;
    if (stats.uid !== uid && uid !== 0)
      return failure(
        `${path} belongs to user ${stats.uid}, not to this user (${uid})`,
        `Run: chown -R ${uid} ${dataDir}`,
      );
    if ((stats.mode & 0o077) !== 0)
      return warning(`Other users may read ${path}`, `Run: chmod go-rwx ${path}`);
  }
  return ok(`${dataDir} is private to its owner`);
}

async function checkOpenFiles(): Promise<Finding> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (soft === undefined) return ok('The limit of open files is not known on this system');
  const text = `At most ${soft} open files`;
  if (Number(soft) >= MIN_OPEN_FILES) return ok(text);
  return warning(text, `Raise it to at least ${MIN_OPEN_FILES}: LimitNOFILE in systemd, or ulimit -n.`);
}

async function checkSandbox({ sandbox, dataDir, publicInstance }: Config): Promise<Finding> {
  if (sandbox.mode === 'off' || publicInstance) return ok('Commands of projects are turned off');
  const search = await findSandbox({ dataDir, toolchains: sandbox.toolchains });
  if ('sandbox' in search) return ok('Commands of projects can run in a sandbox');
  const key: ErrorKey = `sandbox_${search.unavailable}`;
  const { message } = new AppError('unavailable', key, { params: { detail: search.detail } });
  return warning('Commands of projects cannot run', message);
}
