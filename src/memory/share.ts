import type { Memory } from './memory.ts';
import { openMemory, type SharedMemory } from './shard/open.ts';

export type { SharedMemory } from './shard/open.ts';

/** What to send to another thread so that it reads the same memory: nothing is copied. */
export function share(memory: Memory): SharedMemory {
  return memory.shared;
}

/** The memory that another thread shared. */
export function attach(shared: SharedMemory): Memory {
  return openMemory(shared);
}
