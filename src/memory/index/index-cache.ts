import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { RepositoryIndex } from '../repository-index.ts';
import { openIndex, readGeneration } from './generation-reader.ts';

/** Open indexes, the least recently used evicted when they grow too large together. */
interface IndexCache {
  /** Opens a generation unless it is cached. Throws `index_rebuilding` when it can't be read. */
  open(directory: string, generation: string): Promise<RepositoryIndex>;
  /** Evicts all generations of a directory. */
  evict(directory: string): void;
  /** Bytes of the cached indexes. */
  readonly cachedBytes: number;
  close(): void;
}

interface CachedIndex {
  readonly directory: string;
  readonly index: Promise<RepositoryIndex>;
  /** Null while it is being read. */
  loaded: RepositoryIndex | null;
}

/** Creates a cache of at most `maxBytes` of shared memory; the index used last stays, whatever its size. */
export function createIndexCache({ maxBytes }: { maxBytes: number }): IndexCache {
  const cache = new LRUCache<string, CachedIndex>({
    maxSize: maxBytes,
    sizeCalculation: ({ loaded }) => Math.min(1 + (loaded?.bytes ?? 0), maxBytes),
  });

  /** Projects may have been deleted while they were opened, here or by another process. */
  const evictRemoved = () => {
    for (const [path, { directory }] of [...cache.entries()]) if (!existsSync(directory)) cache.delete(path);
  };
  /** Finds a segment in memory: generations of a project share segments. */
  const findSegment = (directory: string, name: string) => {
    for (const entry of cache.values()) {
      if (entry.directory !== directory || entry.loaded === null) continue;
      const { commits, code } = entry.loaded.shared;
      const segments = [...commits.segments, ...(code?.segments ?? [])];
      const found = segments.find((segment) => segment.name === name);
      if (found) return found.buffer;
    }
    return undefined;
  };
  const load = (directory: string, generation: string, path: string) => {
    const index = readGeneration(directory, generation, (name) => findSegment(directory, name)).then(
      openIndex,
    );
    const entry: CachedIndex = { directory, index, loaded: null };
    cache.set(path, entry);
    index.then(
      (loaded) => {
        entry.loaded = loaded;
        // Set again: its size is known now.
        if (cache.peek(path) === entry) cache.set(path, entry);
        evictRemoved();
      },
      () => {
        if (cache.peek(path) === entry) cache.delete(path);
      },
    );
    return entry;
  };

  return {
    open: (directory, generation) => {
      const path = join(directory, generation);
      return (cache.get(path) ?? load(directory, generation, path)).index;
    },
    get cachedBytes() {
      return [...cache.values()].reduce((sum, { loaded }) => sum + (loaded?.bytes ?? 0), 0);
    },
    evict: (directory) => {
      for (const [path, entry] of [...cache.entries()]) if (entry.directory === directory) cache.delete(path);
    },
    close: () => cache.clear(),
  };
}
