import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'config' | 'indexCache' | 'events'>;

/** Where a project's repository and shards lie on disk. */
export function projectStorage(dataDir: string, projectId: string) {
  const root = join(dataDir, 'projects', projectId);
  return { root, repo: join(root, 'repo.git'), shard: join(root, 'shard') };
}

/**
 * Opens the generation that serves, or null before the first phase has ended.
 * A damaged or outdated shard is announced, so that it gets rebuilt, and answered with `index_rebuilding`.
 */
export async function openIndex(
  deps: Needs,
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

/** Like `openMemory`, but a project that has nothing to show yet is an error in words. */
export async function requireIndex(
  deps: Needs,
  project: { id: string; shard_generation: string | null },
): Promise<RepositoryIndex> {
  const memory = await openIndex(deps, project);
  if (memory === null) {
    throw new AppError('unavailable', 'repository_being_read', {
      reason: 'not_ready',
      retryAfter: 5,
    });
  }
  return memory;
}
