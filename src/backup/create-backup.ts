import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { AppError } from '#contract/errors.ts';
import { type ArchiveSink, ArchiveWriter, BACKUP_FORMAT, type BackupHeader, HEADER_FILE } from './archive.ts';
import { type BranchHead, dumpDatabase, openSnapshot } from './dump-database.ts';
import { dumpRepository, readChunks } from './dump-repository.ts';

/** Numbers of a backup or of a restore. */
export interface BackupSummary {
  bytes: number;
  projects: number;
  /** Rows of all tables. */
  rows: number;
  jobs: number;
  keys: boolean;
  /** Projects without a repository. */
  withoutRepository: string[];
  /** Working branches whose commit the repository lacks. */
  missingBranches: { project_id: string; name: string }[];
}

/**
 * Writes a backup: the database in one snapshot, then the repositories with the working branches of that snapshot, and uploaded
 * source maps. The server may run. Indexes are left out, since they are built from the repositories.
 */
export async function createBackup(options: {
  databaseUrl: string;
  /** Null for the database alone, complete: to move it to another PostgreSQL beside the same files. */
  dataDir: string | null;
  program: string;
  /** Included when it is given. */
  secretKey: string | null;
  sink: ArchiveSink;
  /** Runs work on the files of a project, which may have to be fetched; by default those in `dataDir`. */
  withProject?: WithProject;
  onProject?: (projectId: string) => void;
}): Promise<BackupSummary> {
  const { databaseUrl, dataDir, program, secretKey, sink, onProject } = options;
  const withProject: WithProject =
    options.withProject ?? (async (id, work) => await work(projectFolders(join(dataDir!, 'projects', id))));
  const archive = new ArchiveWriter(sink);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'hindsight-backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    const snapshot = await openSnapshot(client, { withStore: dataDir === null });
    const { projects, branches } = snapshot;
    await archive.add(HEADER_FILE, {
      ...{ format: BACKUP_FORMAT, program, created_at: new Date().toISOString() },
      ...snapshot.header,
      ...{ projects: projects.length, keys: secretKey !== null },
    } satisfies BackupHeader);
    if (secretKey !== null) await archive.add('secret-key', Buffer.from(secretKey));
    const database = await dumpDatabase(snapshot, archive);
    await client.query('commit');
    const withoutRepository: string[] = [];
    const missingBranches: BackupSummary['missingBranches'] = [];
    const branchesOf = Map.groupBy(branches, (branch) => branch.project_id);
    for (const id of dataDir === null ? [] : projects) {
      onProject?.(id);
      const missing = await withProject(id, async (folders) => {
        return await dumpProject(archive, { folders, id, branches: branchesOf.get(id) ?? [] });
      });
      if (missing === null) withoutRepository.push(id);
      else missingBranches.push(...missing.map(({ project_id, name }) => ({ project_id, name })));
    }
    const lacking = { without_repository: withoutRepository, missing_branches: missingBranches };
    await archive.finish({ ...database, ...lacking });
    const rows = Object.values(database.rows).reduce((sum, count) => sum + count, 0);
    return {
      ...{ bytes: archive.bytes, projects: projects.length, rows, jobs: database.jobs },
      ...{ keys: secretKey !== null, withoutRepository, missingBranches },
    };
  } catch (error) {
    throw isUnmigrated(error) ? new AppError('conflict', 'backup_database_empty', { cause: error }) : error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Folders of a project that a backup reads. */
interface ProjectFolders {
  repo: string;
  sourceMaps: string;
}

/** Runs work on the files of a project. */
export type WithProject = <T>(projectId: string, work: (folders: ProjectFolders) => Promise<T>) => Promise<T>;

/** The folders of a project below its own. */
export function projectFolders(root: string): ProjectFolders {
  return { repo: join(root, 'repo.git'), sourceMaps: join(root, 'source-maps') };
}

/** Writes the repository and the uploaded source maps of a project; returns what `dumpRepository` returns. */
async function dumpProject(
  archive: ArchiveWriter,
  options: { folders: ProjectFolders; id: string; branches: BranchHead[] },
): Promise<BranchHead[] | null> {
  const { folders, id, branches } = options;
  const folder = `projects/${id}`;
  const missing = await dumpRepository({ repo: folders.repo, folder, branches, archive });
  for (const name of await readdir(folders.sourceMaps).catch(() => [])) {
    if (!name.endsWith('.map.gz')) continue;
    // A map may be deleted meanwhile.
    const file = await open(join(folders.sourceMaps, name)).catch(() => null);
    if (file === null) continue;
    try {
      const { size } = await file.stat();
      await archive.addFile(`${folder}/source-maps/${name}`, size, readChunks(file, size));
    } finally {
      await file.close();
    }
  }
  return missing;
}

/** SQLSTATE `undefined_table`: no program has migrated the database. */
function isUnmigrated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01';
}
