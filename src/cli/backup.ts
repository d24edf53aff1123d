import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openBackupSource, openBackupTarget } from '#backup/backup-place.ts';
import { type BackupSummary, createBackup } from '#backup/create-backup.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import type { Config } from '#config.ts';
import { AppError } from '#contract/errors.ts';
import { connect } from '#db/connect.ts';
import { startEmbedded, withEmbedded } from '#db/embedded.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { createLogger } from '#server/http/log.ts';
import { moveFilesIn } from '#server/project-data/move-files.ts';
import { openProjectFiles } from '#server/project-data/project-files.ts';
import type { ObjectStore } from '#storage/object-store.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { type Arguments, requireKnownOptions, usageError } from './arguments.ts';
import { PACKAGE_VERSION } from './package-version.ts';
import { withStoredProjects } from './stored-projects.ts';

type Report = (line: string) => void;

/** Begin of the folder in which a restore is prepared; one that a killed restore left is deleted by the next. */
const UNFINISHED = 'restore-unfinished-';

/** `hindsight backup FILE [--with-keys]`. */
export async function runBackup(config: Config, args: Arguments, report: Report): Promise<void> {
  requireKnownOptions(args, ['with_keys']);
  const place = readPlace(args);
  const { dataDir, objectStore } = config;
  const store = objectStore && openObjectStore(objectStore);
  const secretKey = args.options.has('with_keys') ? loadSecretKeys(config).join(',') : null;
  const target = await openBackupTarget(place, store);
  try {
    const summary = await withDatabase(config, async (databaseUrl) => {
      const options = { databaseUrl, dataDir, program: PACKAGE_VERSION, secretKey, sink: target };
      if (store === null) return await createBackup(options);
      return await withStoredProjects({ databaseUrl, dataDir, store }, (withProject) =>
        createBackup({ ...options, withProject }),
      );
    });
    await target.finish();
    report(`Backed up ${describe(summary)} to ${place} (${formatBytes(summary.bytes)}).`);
    for (const id of summary.withoutRepository)
      report(`Project ${id} has no repository yet; only its rows are included.`);
    for (const { project_id, name } of summary.missingBranches)
      report(`Project ${project_id} lacks the commit of its branch ${name}.`);
    if (!summary.keys)
      report(
        'The secret key is not included. Keep a copy of it elsewhere, or add --with-keys and store the file safely.',
      );
  } catch (error) {
    await target.abort();
    throw error;
  }
}

/** `hindsight restore FILE`. */
export async function runRestore(config: Config, args: Arguments, report: Report): Promise<void> {
  requireKnownOptions(args, []);
  const place = readPlace(args);
  const { dataDir, databaseUrl, objectStore } = config;
  const store = objectStore && openObjectStore(objectStore);
  await requireEmpty(dataDir);
  const source = await openBackupSource(place, store);
  const draft = await mkdtemp(join(dataDir, UNFINISHED));
  const log = createLogger({ level: config.logLevel });
  const started: Awaited<ReturnType<typeof startEmbedded>>[] = [];
  const stop = async () => await started.pop()?.stop();
  try {
    const openDatabase = async () => {
      if (databaseUrl !== null) return databaseUrl;
      const embedded = await startEmbedded({ dataDir: draft, log });
      started.push(embedded);
      return embedded.url;
    };
    const summary = await restoreBackup({ source, openDatabase, folder: draft });
    if (store !== null) await publishFiles(databaseUrl ?? started[0]!.url, { dataDir: draft, store });
    await stop();
    for (const name of ['projects', 'secret-key', 'postgres-password', 'postgres'])
      await rename(join(draft, name), join(dataDir, name)).catch(ignoreMissing);
    report(`Restored and verified ${describe(summary)}, from a backup of ${summary.header.created_at}.`);
    report('Start the server. The index of each project is built again when the project is first opened.');
    if (!summary.keys && config.secretKey === null)
      report(
        `The backup has no secret key: put the old one at ${join(dataDir, 'secret-key')} before the server starts. Without it everyone signs in again, and two-factor keys and credentials of repositories, code hosts and models must be entered again.`,
      );
  } finally {
    await stop();
    await rm(draft, { recursive: true, force: true });
  }
}

function readPlace({ words }: Arguments): string {
  const [place, ...more] = words;
  if (place === undefined || more.length > 0) throw usageError('usage_backup_file');
  return place;
}

/** Runs work on the database of the settings; the embedded one is started unless a server has it running. */
async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return await work(config.databaseUrl);
  return await withEmbedded({ dataDir: config.dataDir, log: createLogger({ level: config.logLevel }) }, work);
}

/** Creates the folder where it is missing. Throws `conflict` unless it is empty. */
async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name === 'lost+found') continue;
    if (!name.startsWith(UNFINISHED))
      throw new AppError('conflict', 'restore_folder_not_empty', { params: { folder }, reason: 'not_empty' });
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function publishFiles(
  url: string,
  { dataDir, store }: { dataDir: string; store: ObjectStore },
): Promise<void> {
  const { db, close } = connect(url);
  const files = openProjectFiles({ db, dataDir, store });
  await moveFilesIn({ db, dataDir, files, onPath: () => {} }).finally(close);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function describe({ projects, rows, jobs, keys }: BackupSummary): string {
  const counts = [`${projects} projects`, `${rows.toLocaleString('en')} rows`, `${jobs} waiting jobs`];
  return `${counts.join(', ')}${keys ? ' and the secret key' : ''}`;
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
