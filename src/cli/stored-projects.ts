import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolders, type WithProject } from '#backup/create-backup.ts';
import { connect } from '#db/connect.ts';
import { openProjectFiles } from '#server/project-data/project-files.ts';
import { REPOSITORY_FOLDER } from '#server/project-data/repository-rows.ts';
import type { ObjectStore } from '#storage/object-store.ts';

/**
 * Runs work that reads the projects of an object store, one after the other, through a folder of its own: a server may be using
 * `dataDir`, where only repositories lie that are not yet in the store.
 */
export async function withStoredProjects<T>(
  { databaseUrl, dataDir, store }: { databaseUrl: string; dataDir: string; store: ObjectStore },
  work: (withProject: WithProject) => Promise<T>,
): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dataDir, 'backup-unfinished-'));
  const { db, close } = connect(databaseUrl);
  const files = openProjectFiles({ db, dataDir: folder, store });
  const withProject: WithProject = async (projectId, use) => {
    const own = join(folder, 'projects', projectId);
    const paths = await db
      .selectFrom('project_files')
      .select('path')
      .where('project_id', '=', projectId)
      .execute();
    for (const { path } of paths) if (path.startsWith('source-maps/')) await files.fetch(projectId, path);
    const isStored = paths.some(({ path }) => path === REPOSITORY_FOLDER);
    const { repo, sourceMaps } = projectFolders(own);
    const local = projectFolders(join(dataDir, 'projects', projectId));
    try {
      return isStored
        ? await files.repositories.hold(projectId, () => use({ repo, sourceMaps }))
        : await use({ repo: local.repo, sourceMaps });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };
  try {
    return await work(withProject);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
