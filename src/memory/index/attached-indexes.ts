import { existsSync } from 'node:fs';
import type { RepositoryIndex } from '../repository-index.ts';
import { openIndex, type SharedIndex } from './generation-reader.ts';

export type { SharedIndex } from './generation-reader.ts';

/** Memories that a thread keeps open. What they show stays in shared memory as long as one of them does. */
const MAX_ATTACHED = 2;

/** Those attached in this thread, the last one used at the end. */
const attached = new Map<string, RepositoryIndex>();

/** Forgets memories of this thread whose project has been deleted. */
export function releaseRemovedIndexes(): void {
  for (const [key, { shared }] of attached) {
    if (shared.directory !== undefined && !existsSync(shared.directory)) attached.delete(key);
  }
}

/** How many memories this thread keeps. */
export const countAttachedIndexes = () => attached.size;

/** What to send to another thread so that it reads the same memory: nothing is copied. */
export function shareIndex(memory: RepositoryIndex): SharedIndex {
  return memory.shared;
}

/**
 * The memory that another thread shared. The same object for the same generation while it is in use here, so that
 * what readers keep beside a memory is made once and not for every question.
 */
export function attachIndex(shared: SharedIndex): RepositoryIndex {
  const key = `${shared.generation} ${shared.code === null ? 'history' : 'all'}`;
  const memory = attached.get(key) ?? openIndex(shared);
  attached.delete(key);
  attached.set(key, memory);
  for (const [oldest] of attached) {
    if (attached.size <= MAX_ATTACHED) break;
    attached.delete(oldest);
  }
  return memory;
}
