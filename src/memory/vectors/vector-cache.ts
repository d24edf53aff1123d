import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { buildPassageTable, type PassageTable } from './passage-table.ts';
import { allocateVectors, paddedWidth, type SharedVectors, viewVectors } from './quantized-vectors.ts';
import {
  PASSAGE_RECORD_BYTES,
  readVectorLog,
  type StoredPassage,
  VECTOR_RECORD_OVERHEAD,
} from './vector-log.ts';

/** Vectors of a project in shared memory, which may be posted to other threads. */
export interface SharedPassageVectors {
  /** Identifies the file and its content. */
  readonly version: string;
  /** Dimensions of the model's vectors. */
  readonly dimensions: number;
  readonly vectors: SharedVectors;
  readonly table: PassageTable;
}

/** Loaded vectors, the least recently used evicted when they grow too large together. */
interface VectorCache {
  /** Loads the vectors of a file, at most MAX_STALE_MS old; null when there are none. */
  open(path: string): Promise<SharedPassageVectors | null>;
  /** Evicts the files below a folder. */
  evict(folder: string): void;
  /** Bytes of the cached files. */
  readonly cachedBytes: number;
  close(): void;
}

interface CachedVectors {
  version: string;
  readAt: number;
  bytes: number;
  shared: Promise<SharedPassageVectors | null>;
}

/** Age up to which vectors are used although a job has appended to their file. */
const MAX_STALE_MS = 10_000;

/** Creates a cache of at most `maxBytes`; the file used last stays, whatever its size. */
export function createVectorCache({
  maxBytes,
  maxStaleMs = MAX_STALE_MS,
}: {
  maxBytes: number;
  maxStaleMs?: number;
}): VectorCache {
  const cache = new LRUCache<string, CachedVectors>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.min(bytes + 1, maxBytes),
  });

  const load = (path: string, version: string, size: number): CachedVectors => {
    const shared = readVectors(path, version, size);
    const entry = { version, readAt: performance.now(), bytes: size, shared };
    cache.set(path, entry);
    shared.catch(() => {
      if (cache.peek(path) === entry) cache.delete(path);
    });
    return entry;
  };

  return {
    async open(path) {
      const found = await stat(path, { bigint: true }).catch(() => null);
      if (found === null) {
        cache.delete(path);
        return null;
      }
      const version = `${path} ${found.ino} ${found.size} ${found.mtimeNs}`;
      const cached = cache.get(path);
      const isFresh =
        cached && (cached.version === version || performance.now() - cached.readAt < maxStaleMs);
      return await (isFresh ? cached : load(path, version, Number(found.size))).shared;
    },
    evict: (folder) => {
      for (const path of [...cache.keys()]) if (path.startsWith(`${folder}/`)) cache.delete(path);
    },
    get cachedBytes() {
      return [...cache.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    },
    close: () => cache.clear(),
  };
}

/** Reads the valid records of a file; what another process appends meanwhile is read next time. */
async function readVectors(
  path: string,
  version: string,
  size: number,
): Promise<SharedPassageVectors | null> {
  const passages: StoredPassage[] = [];
  let target: { vectors: SharedVectors; bytes: Int8Array; factors: Float32Array } | null = null;
  let count = 0;
  const read = await readVectorLog(path, {
    onVector: ({ factor, bytes }) => {
      target ??= allocateFor(size, bytes.length);
      if (count === target.vectors.count) return;
      target.bytes.set(bytes, count * bytes.length);
      target.factors[count++] = factor;
    },
    onPassage: (passage) => {
      if (passage.vector < count) passages.push(passage);
    },
  });
  if (read === null) return null;
  const { vectors } = target ?? allocateFor(0, paddedWidth(read.dimensions));
  return { version, dimensions: read.dimensions, vectors, table: buildPassageTable(passages) };
}

/** Allocates memory for the vectors of a file of this size, up to 4 GiB. */
function allocateFor(size: number, width: number) {
  const maxCount = Math.floor(2 ** 32 / (width + 4)) - 1;
  const count = Math.min(
    maxCount,
    Math.floor(size / (VECTOR_RECORD_OVERHEAD + width + PASSAGE_RECORD_BYTES)) + 1,
  );
  const vectors = allocateVectors(count, width);
  return { vectors, ...viewVectors(vectors) };
}
