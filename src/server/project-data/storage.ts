import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { completeParts } from '#memory/index/generation-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { missingIndex } from './missing-index.ts';

type IndexDeps = Pick<Deps, 'config' | 'indexCache' | 'events' | 'projectFiles'>;

/** Returns the folders of a project on disk. */
export function projectStorage(dataDir: string, projectId: string) {
  const root = join(dataDir, 'projects', projectId);
  return { root, repo: join(root, 'repo.git'), shard: join(root, 'shard') };
}

/** Folder of a change index below that of its project. */
export const CHANGE_INDEX_FOLDER = 'hunks';

/** Path of an index generation below the folder of its project. */
export function generationPath(generation: string): string {
  return `shard/${generation}`;
}

type IndexedProject = { id: string; shard_generation: string | null };

/**
 * Opens the complete parts of the current index generation; null before its history is complete. For a damaged or outdated index,
 * emits `index-damaged`, which rebuilds it, and throws `index_rebuilding`.
 */
export async function openProjectIndex(
  deps: IndexDeps,
  project: IndexedProject,
): Promise<RepositoryIndex | null> {
  const index = await openPartialIndex(deps, project);
  return index && completeParts(index);
}

/**
 * Opens the current index generation, whose `pending` parts are still being read: for callers that say so, and conclude nothing from
 * what they do not find. Null before anything can be searched; throws as `openProjectIndex` does.
 */
export async function openPartialIndex(
  deps: IndexDeps,
  project: IndexedProject,
): Promise<RepositoryIndex | null> {
  if (project.shard_generation === null) return null;
  const { id: projectId, shard_generation: generation } = project;
  const { shard } = projectStorage(deps.config.dataDir, projectId);
  try {
    await deps.projectFiles.repositories.open(projectId);
    await deps.projectFiles.fetch(projectId, generationPath(generation));
    await deps.projectFiles.follow(projectId, CHANGE_INDEX_FOLDER);
    return await deps.indexCache.open(shard, generation);
  } catch (error) {
    if (!(error instanceof AppError) || !isDamage(error)) throw error;
    await deps.projectFiles.withdraw(projectId, [generationPath(generation)]);
    deps.events.emit({ type: 'index-damaged', projectId, generation });
    throw error.code === 'index_rebuilding'
      ? error
      : new AppError('index_rebuilding', 'index_rebuilding', { cause: error, retryAfter: 5 });
  }
}

/** True where files of an index are missing or damaged, on this disk or in the object store. */
export function isDamage({ code, reason }: AppError): boolean {
  return code === 'index_rebuilding' || reason === 'stored_object_damaged';
}

/**
 * Opens the complete parts of the current index generation. Throws `unavailable` before the history is complete, or the code for an
 * answer that needs it; `conflict` where indexing failed.
 */
export async function requireIndex(
  deps: IndexDeps & Pick<Deps, 'db'>,
  project: IndexedProject,
  { withCode = false } = {},
): Promise<RepositoryIndex> {
  const index = await openProjectIndex(deps, project);
  if (index === null) throw await missingIndex(deps, project.id);
  if (withCode && index.code === null) throw await missingIndex(deps, project.id, 'files_being_read');
  return index;
}

/** Opens the current index generation as `openPartialIndex` does, and throws as `requireIndex` does. */
export async function requirePartialIndex(
  deps: IndexDeps & Pick<Deps, 'db'>,
  project: IndexedProject,
): Promise<RepositoryIndex> {
  const index = await openPartialIndex(deps, project);
  if (index === null) throw await missingIndex(deps, project.id);
  return index;
}
