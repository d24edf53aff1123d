import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { openBackupSource, openBackupTarget } from '#backup/backup-place.ts';
import { createBackup } from '#backup/create-backup.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import type { Config } from '#config.ts';
import { AppError } from '#contract/errors.ts';
import { readClusterVersion } from '#db/cluster.ts';
import { PASSWORD_FILE, startEmbedded } from '#db/embedded.ts';
import { lockFolder } from '#db/folder-lock.ts';
import { findPrograms } from '#db/postgres-programs.ts';
import { createLogger } from '#server/http/log.ts';
import { type Arguments, requireKnownOptions } from './arguments.ts';
import { PACKAGE_VERSION } from './package-version.ts';

type Report = (line: string) => void;

/** Folders in which systems install the programs of a major version. */
const INSTALLATIONS = [
  (version: number) => `/usr/lib/postgresql/${version}/bin`,
  (version: number) => `/usr/pgsql-${version}/bin`,
  (version: number) => `/opt/homebrew/opt/postgresql@${version}/bin`,
];

/** `hindsight upgrade-database [--from FOLDER]`. */
export async function runUpgradeDatabase(config: Config, args: Arguments, report: Report): Promise<void> {
  requireKnownOptions(args, ['from']);
  if (config.databaseUrl !== null) {
    report(
      'DATABASE_URL is set: upgrade that PostgreSQL with its own tools. There is no embedded one to upgrade.',
    );
    return;
  }
  const cluster = join(config.dataDir, 'postgres');
  const found = await readClusterVersion(cluster);
  if (found === null) throw new AppError('conflict', 'backup_database_empty');
  const { version } = await findPrograms(cluster);
  if (found === version) return report(`The database is one of PostgreSQL ${version} already.`);
  const named = args.options.get('from');
  const programsFolder =
    typeof named === 'string' ? resolve(named) : INSTALLATIONS.map((at) => at(found)).find(existsSync);
  if (programsFolder === undefined || !existsSync(join(programsFolder, 'postgres')))
    throw new AppError('unavailable', 'upgrade_no_programs', { params: { version: found } });
  const log = createLogger({ level: config.logLevel });
  const old = await upgradeDatabase({ dataDir: config.dataDir, programsFolder, log });
  report(`Upgraded from PostgreSQL ${found} to ${version}: ${old.rows.toLocaleString('en')} rows, verified.`);
  report(`Delete ${old.folder} and ${old.backup} once the server runs well.`);
}

/**
 * Moves the embedded cluster to the PostgreSQL of this program: dumps it by the programs that made it, restores into a new cluster
 * beside it, verifies, and exchanges the folders. The old cluster and the dump stay. The server must be stopped.
 */
export async function upgradeDatabase(options: {
  dataDir: string;
  programsFolder: string;
  log: Logger;
}): Promise<{ rows: number; folder: string; backup: string }> {
  const { dataDir, programsFolder, log } = options;
  const cluster = join(dataDir, 'postgres');
  const folder = `${cluster}-${await readClusterVersion(cluster)}`;
  const backup = `${folder}.backup`;
  if (existsSync(folder)) throw new AppError('conflict', 'restore_folder_not_empty', { params: { folder } });
  await dumpOldCluster({ dataDir, programsFolder, log, backup });
  const draft = await mkdtemp(join(dataDir, 'upgrade-unfinished-'));
  try {
    // The old cluster keeps its password: renaming it back undoes the upgrade.
    await copyFile(join(dataDir, PASSWORD_FILE), join(draft, PASSWORD_FILE));
    const embedded = await startEmbedded({ dataDir: draft, log });
    const source = await openBackupSource(backup, null);
    const openDatabase = async () => embedded.url;
    const { rows } = await restoreBackup({ source, openDatabase, folder: draft }).finally(embedded.stop);
    const unlock = lockFolder(cluster);
    try {
      await rename(cluster, folder);
      await rename(join(draft, 'postgres'), cluster);
    } finally {
      unlock();
    }
    return { rows, folder, backup };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function dumpOldCluster(options: {
  dataDir: string;
  programsFolder: string;
  log: Logger;
  backup: string;
}): Promise<void> {
  const { dataDir, programsFolder, log, backup } = options;
  const target = await openBackupTarget(backup, null);
  const embedded = await startEmbedded({ dataDir, log, programsFolder });
  try {
    const from = { databaseUrl: embedded.url, dataDir: null, program: PACKAGE_VERSION, secretKey: null };
    await createBackup({ ...from, sink: target });
    await target.finish();
  } catch (error) {
    await target.abort();
    throw error;
  } finally {
    await embedded.stop();
  }
}
