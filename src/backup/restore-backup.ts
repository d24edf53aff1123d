import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import {
  BACKUP_FORMAT,
  type BackupHeader,
  type BackupManifest,
  backupHeader,
  backupManifest,
  HEADER_FILE,
  MANIFEST_FILE,
  readArchive,
} from './archive.ts';
import type { BackupSummary } from './create-backup.ts';
import { beginRepository, type RepositoryLoad, writeChunks } from './load-repository.ts';
import { type QueuedLoad, queueLoad } from './queued-load.ts';
import { backupDamaged, type TarEntry } from './tar.ts';

/** Largest file that is read as a whole, such as the refs of a repository or the manifest. */
const MAX_COLLECTED = 2 ** 30;

/** Files of a backup by their paths. */
const PATHS = {
  rows: /^database\/([a-z0-9_]+)\/\d{6}$/,
  jobs: /^jobs\/\d{6}$/,
  repository: /^projects\/([A-Za-z0-9-]+)\/repository\.json$/,
  pack: /^projects\/([A-Za-z0-9-]+)\/packs\/([a-z0-9.-]+)$/,
  loose: /^projects\/([A-Za-z0-9-]+)\/loose\/(\d+)\/\d{6}$/,
  sourceMap: /^projects\/([A-Za-z0-9-]+)\/source-maps\/([A-Za-z0-9-]+\.map\.gz)$/,
};

/** Kinds of the files that the database is loaded from: all others come after them. */
const ROW_KINDS = new Set(['rows', 'sequences', 'jobs', 'key']);

/** Numbers of a restore, with the header of the backup. */
type RestoreSummary = BackupSummary & { header: BackupHeader };

interface RestoreOptions {
  source: AsyncIterable<Buffer>;
  /** Returns the URL of an empty database; called once the file is known to be a backup. */
  openDatabase(): Promise<string>;
  /** Empty folder for the files of projects and the secret key. */
  folder: string;
  onProject?(projectId: string): void;
}

/**
 * Restores a backup into an empty database and an empty folder, and verifies it: checksums of all files, numbers of rows, references
 * between tables, an object for every ref. Repositories are read while the database is created, loaded and checked. After an error,
 * the folder has parts of it and the database none of its rows.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const files: BackupManifest['files'] = [];
  const entries = readArchive(options.source, files);
  let load: QueuedLoad | null = null;
  try {
    const { value: first } = await entries.next();
    if (first?.name !== HEADER_FILE) throw backupDamaged();
    const header = await readHeader(first);
    load = queueLoad(options.openDatabase, header);
    const manifest = await restoreFiles(entries, { ...options, load, files });
    await load.finish(manifest);
    const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
    return {
      ...{ header, keys: header.keys, projects: header.projects, rows, jobs: manifest.jobs },
      bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0),
      ...{ withoutRepository: manifest.without_repository, missingBranches: manifest.missing_branches },
    };
  } catch (error) {
    const isMalformed = error instanceof z.ZodError || error instanceof SyntaxError || isRefusedRow(error);
    throw isMalformed ? backupDamaged(error) : error;
  } finally {
    await entries.return().catch(() => {});
    await load?.close();
  }
}

/** SQLSTATE classes of values that PostgreSQL cannot read and of rows that break a constraint. */
function isRefusedRow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}

async function readHeader(entry: TarEntry): Promise<BackupHeader> {
  const header = backupHeader.parse(await readJson(entry));
  if (header.format > BACKUP_FORMAT)
    throw new AppError('conflict', 'backup_newer', {
      params: { migration: `format ${header.format}` },
      reason: 'newer_backup',
    });
  return header;
}

/** Restores all files after the header, and returns the manifest once it agrees with them. */
async function restoreFiles(
  entries: AsyncIterable<TarEntry>,
  options: Pick<RestoreOptions, 'folder' | 'onProject'> & {
    load: QueuedLoad;
    files: BackupManifest['files'];
  },
): Promise<BackupManifest> {
  const { load, folder, onProject, files } = options;
  let current: { project: string; repository: RepositoryLoad } | null = null;
  const finishing = createFinisher();
  const endRepository = async () => {
    if (current !== null) await finishing.add(current.repository);
    current = null;
  };
  const repositoryOf = (project: string) => {
    if (current?.project !== project) throw backupDamaged();
    return current.repository;
  };
  try {
    for await (const entry of entries) {
      const { name, content } = entry;
      const [kind = '', first = '', second = ''] = matchPath(name);
      if (!ROW_KINDS.has(kind)) load.endRows();
      if (kind === 'rows') await load.addRows(first, content);
      else if (kind === 'sequences') await load.setSequences(await collect(entry));
      else if (kind === 'jobs') await load.addJobs(content);
      else if (kind === 'key')
        await writeFile(join(folder, name), await collect(entry), { mode: 0o600, flag: 'wx' });
      else if (kind === 'repository') {
        await endRepository();
        onProject?.(first);
        const repo = join(folder, 'projects', first, 'repo.git');
        current = { project: first, repository: await beginRepository(repo, await collect(entry)) };
      } else if (kind === 'pack') await repositoryOf(first).addPack(second, content);
      else if (kind === 'loose') await repositoryOf(first).addLoose(second, content);
      else if (kind === 'sourceMap') {
        const maps = join(folder, 'projects', first, 'source-maps');
        await mkdir(maps, { recursive: true, mode: 0o700 });
        await (await writeChunks(join(maps, second), content, 'wx'))();
      } else {
        await endRepository();
        await finishing.end();
        const read = [...files];
        const manifest = backupManifest.parse(await readJson(entry));
        if (JSON.stringify(manifest.files) !== JSON.stringify(read)) throw backupDamaged();
        return manifest;
      }
    }
    throw backupDamaged();
  } finally {
    // Nothing may write into the folder once this has ended.
    await finishing.settled();
  }
}

/** Repositories that are indexed and checked while the files of the next ones are read. */
const MAX_FINISHING = 3;

function createFinisher() {
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  const rethrow = () => {
    if (failure !== null) throw failure.error;
  };
  return {
    /** Waits while as many as allowed are being finished. Throws when one has failed. */
    async add(repository: RepositoryLoad) {
      while (pending.size >= MAX_FINISHING) await Promise.race(pending);
      rethrow();
      const done: Promise<void> = repository
        .finish()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => pending.delete(done));
      pending.add(done);
    },
    async end() {
      await Promise.all(pending);
      rethrow();
    },
    settled: async () => void (await Promise.all(pending)),
  };
}

/** Kind of a file, and what its path names. Throws for a path that no backup has. */
function matchPath(name: string): string[] {
  if (name === 'sequences.json') return ['sequences'];
  if (name === 'secret-key') return ['key'];
  if (name === MANIFEST_FILE) return ['manifest'];
  for (const [kind, pattern] of Object.entries(PATHS)) {
    const found = pattern.exec(name);
    if (found) return [kind, ...found.slice(1)];
  }
  throw backupDamaged();
}

async function readJson(entry: TarEntry): Promise<unknown> {
  return JSON.parse((await collect(entry)).toString());
}

async function collect(entry: TarEntry): Promise<Buffer> {
  if (entry.bytes > MAX_COLLECTED) throw backupDamaged();
  return await buffer(entry.content);
}
