import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';

type IndexDeps = Pick<Deps, 'config' | 'indexCache' | 'events'>;

/** Returns the folders of a project on disk. */
export function projectStorage(dataDir: string, projectId: string) {
  const root = join(dataDir, 'projects', projectId);
  return { root, repo: join(root, 'repo.git'), shard: join(root, 'shard') };
}

/**
 * Opens the current index generation; null before the first phase is complete. For a damaged or outdated index, emits
 * `index-damaged`, which rebuilds it, and throws `index_rebuilding`.
 */
export async function openProjectIndex(
  deps: IndexDeps,
  project: { id: string; shard_generation: string | null },
): Promise<RepositoryIndex | null> {
  if (project.shard_generation === null) return null;
  const { shard } = projectStorage(deps.config.dataDir, project.id);
  try {
    return await deps.indexCache.open(shard, project.shard_generation);
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') {
      deps.events.emit({
        type: 'index-damaged',
        projectId: project.id,
        generation: project.shard_generation,
      });
    }
    throw error;
  }
}

/** Opens the current index generation. Throws `unavailable` before the first phase is complete. */
export async function requireIndex(
  deps: IndexDeps,
  project: { id: string; shard_generation: string | null },
): Promise<RepositoryIndex> {
  const index = await openProjectIndex(deps, project);
  if (index === null) {
    throw new AppError('unavailable', 'repository_being_read', {
      reason: 'not_ready',
      retryAfter: 5,
    });
  }
  return index;
}
