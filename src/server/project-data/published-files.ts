import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { StoredFile } from '#storage/stored-files.ts';

/** SQLSTATE `foreign_key_violation`: the project has been deleted. */
const PROJECT_GONE = '23503';

/** Published version of a file or folder. */
interface FileVersion {
  files: StoredFile[];
  /** Differs from that of any other version of the same path. */
  version: number;
}

/** Finds the published version of a file or folder; null where there is none. */
export async function findFileVersion(
  db: Kysely<Database>,
  projectId: string,
  path: string,
): Promise<FileVersion | null> {
  const row = await db
    .selectFrom('project_files')
    .select(['files', 'published_at'])
    .where('project_id', '=', projectId)
    .where('path', '=', path)
    .executeTakeFirst();
  return row ? { files: row.files, version: row.published_at.getTime() } : null;
}

/** Publishes a version; null where the project has been deleted. */
export async function saveFileVersion(
  db: Kysely<Database>,
  { projectId, path, files }: { projectId: string; path: string; files: StoredFile[] },
): Promise<number | null> {
  const values = {
    files: JSON.stringify(files),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    published_at: new Date(),
  };
  const row = await db
    .insertInto('project_files')
    .values({ project_id: projectId, path, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'path']).doUpdateSet(values))
    .returning('published_at')
    .executeTakeFirstOrThrow()
    .catch((error: { code?: string }) => {
      if (error.code !== PROJECT_GONE) throw error;
      return null;
    });
  return row?.published_at.getTime() ?? null;
}
