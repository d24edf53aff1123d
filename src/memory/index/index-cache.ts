import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryIndex } from '../repository-index.ts';
import { openIndex, readGeneration } from './generation-reader.ts';

/** Opened memories by place, the least recently used of them closed when they grow too large together. */
export interface IndexCache {
  /** Opens a generation, or finds it open. Throws `index_rebuilding` when it can't be read. */
  open(directory: string, generation: string): Promise<RepositoryIndex>;
  /** Forgets all generations of a directory. */
  evict(directory: string): void;
  /** Bytes of the memories that are kept. */
  readonly cachedBytes: number;
  close(): void;
}

interface Entry {
  readonly directory: string;
  readonly memory: Promise<RepositoryIndex>;
  opened: RepositoryIndex | null;
  bytes: number;
}

/** A library that keeps at most `maxBytes` of shared memory, but always the memory asked for last. */
export function createIndexCache({ maxBytes }: { maxBytes: number }): IndexCache {
  /** In the order of their last use. */
  const memories = new Map<string, Entry>();

  const evict = () => {
    let total = 0;
    for (const [place, { directory, bytes }] of [...memories].reverse()) {
      // Opened while its project was being deleted, here or by another process.
      if (!existsSync(directory)) memories.delete(place);
      else total += bytes;
      if (total > maxBytes && total > bytes) memories.delete(place);
    }
  };
  /** Generations of a project share segments: one that is open is not read again for the next. */
  const knownSegment = (directory: string, name: string) => {
    for (const entry of memories.values()) {
      if (entry.directory !== directory || entry.opened === null) continue;
      const { commits, code } = entry.opened.shared;
      const segments = [...commits.segments, ...(code?.segments ?? [])];
      const found = segments.find((segment) => segment.name === name);
      if (found) return found.buffer;
    }
    return undefined;
  };
  const load = (directory: string, generation: string, place: string) => {
    const memory = readGeneration(directory, generation, (name) => knownSegment(directory, name)).then(
      openIndex,
    );
    const entry: Entry = { directory, memory, opened: null, bytes: 0 };
    memories.set(place, entry);
    memory.then(
      (opened) => {
        entry.opened = opened;
        entry.bytes = opened.bytes;
        evict();
      },
      () => {
        if (memories.get(place) === entry) memories.delete(place);
      },
    );
    return entry;
  };

  return {
    open: (directory, generation) => {
      const place = join(directory, generation);
      const entry = memories.get(place) ?? load(directory, generation, place);
      memories.delete(place);
      memories.set(place, entry);
      return entry.memory;
    },
    get cachedBytes() {
      return memories.values().reduce((sum, { bytes }) => sum + bytes, 0);
    },
    evict: (directory) => {
      for (const [place, entry] of memories) if (entry.directory === directory) memories.delete(place);
    },
    close: () => memories.clear(),
  };
}
