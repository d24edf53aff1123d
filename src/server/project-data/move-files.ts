import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { SURVEY_FILE } from './code-age.ts';
import type { ProjectFileStore } from './project-files.ts';
import { REPOSITORY_FOLDER } from './repository-rows.ts';
import { CHANGE_INDEX_FOLDER, generationPath, projectStorage } from './storage.ts';

interface MoveOptions {
  db: Kysely<Database>;
  dataDir: string;
  files: ProjectFileStore;
  /** Called before each file or folder. */
  onPath(projectId: string, path: string): void;
}

/** Publishes the files of all projects in the object store. An interrupted move continues where it stopped. */
export async function moveFilesIn({ db, dataDir, files, onPath }: MoveOptions): Promise<void> {
  const projects = await db.selectFrom('projects').select(['id', 'shard_generation']).orderBy('id').execute();
  for (const { id, shard_generation: generation } of projects) {
    const root = projectStorage(dataDir, id).root;
    const paths = [
      ...(generation === null ? [] : [generationPath(generation)]),
      ...[CHANGE_INDEX_FOLDER, SURVEY_FILE],
      ...(await listFolder(root, 'vectors')).map((model) => `vectors/${model}/vectors`),
      ...(await listFolder(root, 'source-maps')).map((map) => `source-maps/${map}`),
    ];
    for (const path of paths) {
      onPath(id, path);
      await files.publish(id, path);
    }
    onPath(id, REPOSITORY_FOLDER);
    await files.repositories.publish(id);
  }
}

/** Fetches the published files of all projects to this disk, which holds them from then on. The objects stay. */
export async function moveFilesOut({ db, files, onPath }: MoveOptions): Promise<void> {
  const rows = await db
    .selectFrom('project_files')
    .select(['project_id', 'path'])
    .orderBy('project_id')
    .orderBy('path')
    .execute();
  for (const { project_id, path } of rows) {
    onPath(project_id, path);
    if (path === REPOSITORY_FOLDER) await files.repositories.hold(project_id, async () => {});
    else await files.refresh(project_id, path);
  }
  await db.deleteFrom('project_files').execute();
  await db.deleteFrom('repository_packs').execute();
}

/** Finished files and folders; those that are being written begin with a dot or end in `.tmp`. */
async function listFolder(root: string, folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []);
  return names.filter((name) => !name.startsWith('.') && !name.endsWith('.tmp'));
}
