import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { RepositoryIndex, SharedIndex } from '../repository-index.ts';
import { openIndex } from './generation-reader.ts';

/**
 * Indexes that a thread keeps open, by number and by size, since a search goes over many projects. Their shared memory is
 * freed once no thread has them open. The one used last stays, whatever its size.
 */
const MAX_ATTACHED = 24;
const MAX_ATTACHED_BYTES = 256 * 2 ** 20;

const attached = new LRUCache<string, RepositoryIndex>({
  max: MAX_ATTACHED,
  maxSize: MAX_ATTACHED_BYTES,
  sizeCalculation: ({ bytes }) => Math.min(bytes + 1, MAX_ATTACHED_BYTES),
});

/** Releases indexes of this thread whose project has been deleted. */
export function releaseRemovedIndexes(): void {
  for (const [key, { shared }] of [...attached.entries()]) {
    if (shared.directory !== undefined && !existsSync(shared.directory)) attached.delete(key);
  }
}

/** Number of indexes that this thread keeps open. */
export const countAttachedIndexes = () => attached.size;

/**
 * Opens an index that another thread shared. Returns the same object for the same generation while it is cached here,
 * so that data derived from it is computed once and not for every question.
 */
export function attachIndex(shared: SharedIndex): RepositoryIndex {
  const key = `${shared.generation} ${shared.code === null ? 'history' : 'all'}`;
  const cached = attached.get(key);
  if (cached) return cached;
  const index = openIndex(shared);
  attached.set(key, index);
  return index;
}
