import { existsSync } from 'node:fs';
import type { Memory } from '../repository-index.ts';
import { openMemory, type SharedMemory } from './generation-reader.ts';

export type { SharedMemory } from './generation-reader.ts';

/** Memories that a thread keeps open. What they show stays in shared memory as long as one of them does. */
const KEPT = 2;

/** Those attached in this thread, the last one used at the end. */
const attached = new Map<string, Memory>();

/** Forgets memories of this thread whose project has been deleted. */
export function forgetRemovedMemories(): void {
  for (const [key, { shared }] of attached) {
    if (shared.directory !== undefined && !existsSync(shared.directory)) attached.delete(key);
  }
}

/** How many memories this thread keeps. */
export const countAttached = () => attached.size;

/** What to send to another thread so that it reads the same memory: nothing is copied. */
export function share(memory: Memory): SharedMemory {
  return memory.shared;
}

/**
 * The memory that another thread shared. The same object for the same generation while it is in use here, so that
 * what readers keep beside a memory is made once and not for every question.
 */
export function attach(shared: SharedMemory): Memory {
  const key = `${shared.generation} ${shared.code === null ? 'history' : 'all'}`;
  const memory = attached.get(key) ?? openMemory(shared);
  attached.delete(key);
  attached.set(key, memory);
  for (const [oldest] of attached) {
    if (attached.size <= KEPT) break;
    attached.delete(oldest);
  }
  return memory;
}
