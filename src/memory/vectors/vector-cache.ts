import { stat } from 'node:fs/promises';
import { buildPassageTable, type PassageTable } from './passage-table.ts';
import { allocateVectors, paddedWidth, type SharedVectors, viewVectors } from './quantized-vectors.ts';
import {
  PASSAGE_RECORD_BYTES,
  readVectorLog,
  type StoredPassage,
  VECTOR_RECORD_OVERHEAD,
} from './vector-log.ts';

/** The vectors of a project in memory that threads share: it may be posted as it is. */
export interface SharedPassageVectors {
  /** The same for the same content of the same file. */
  readonly stamp: string;
  /** Numbers of a vector, as the model returned it. */
  readonly dimensions: number;
  readonly vectors: SharedVectors;
  readonly table: PassageTable;
}

/** Vectors that have been read, the least recently used dropped when they grow too large together. */
export interface VectorCache {
  /** The vectors of a file as it is now, or was a moment ago; null when there are none. */
  open(path: string): Promise<SharedPassageVectors | null>;
  /** Forgets the files below a folder. */
  evict(folder: string): void;
  /** Bytes of the files that are kept. */
  readonly cachedBytes: number;
  close(): void;
}

interface Entry {
  stamp: string;
  readAt: number;
  bytes: number;
  shared: Promise<SharedPassageVectors | null>;
}

/** While a job writes, what was read serves for so long. */
const MAX_STALE_MS = 10_000;

/** A library that keeps at most `maxBytes`, but always the file asked for last. */
export function createVectorCache({
  maxBytes,
  freshMs = MAX_STALE_MS,
}: {
  maxBytes: number;
  freshMs?: number;
}): VectorCache {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();

  const evict = () => {
    let total = 0;
    for (const [path, { bytes }] of [...entries].reverse()) {
      total += bytes;
      if (total > maxBytes && total > bytes) entries.delete(path);
    }
  };
  const load = (path: string, stamp: string, size: number): Entry => {
    const shared = readVectors(path, stamp, size);
    const entry = { stamp, readAt: performance.now(), bytes: size, shared };
    shared.catch(() => {
      if (entries.get(path) === entry) entries.delete(path);
    });
    return entry;
  };

  return {
    async open(path) {
      const found = await stat(path, { bigint: true }).catch(() => null);
      if (found === null) {
        entries.delete(path);
        return null;
      }
      const stamp = `${path} ${found.ino} ${found.size} ${found.mtimeNs}`;
      const known = entries.get(path);
      const serves = known && (known.stamp === stamp || performance.now() - known.readAt < freshMs);
      const entry = serves ? known : load(path, stamp, Number(found.size));
      entries.delete(path);
      entries.set(path, entry);
      evict();
      return await entry.shared;
    },
    evict: (folder) => {
      for (const path of entries.keys()) if (path.startsWith(`${folder}/`)) entries.delete(path);
    },
    get cachedBytes() {
      return entries.values().reduce((sum, { bytes }) => sum + bytes, 0);
    },
    close: () => entries.clear(),
  };
}

/** Reads what is sound of a file; what another process adds meanwhile is left for the next time. */
async function readVectors(path: string, stamp: string, size: number): Promise<SharedPassageVectors | null> {
  const passages: StoredPassage[] = [];
  let room: { vectors: SharedVectors; bytes: Int8Array; factors: Float32Array } | null = null;
  let count = 0;
  const read = await readVectorLog(path, {
    onVector: ({ factor, bytes }) => {
      room ??= allocateFor(size, bytes.length);
      if (count === room.vectors.count) return;
      room.bytes.set(bytes, count * bytes.length);
      room.factors[count++] = factor;
    },
    onPassage: (passage) => {
      if (passage.vector < count) passages.push(passage);
    },
  });
  if (read === null) return null;
  const { vectors } = room ?? allocateFor(0, paddedWidth(read.dimensions));
  return { stamp, dimensions: read.dimensions, vectors, table: buildPassageTable(passages) };
}

/** Room for as many vectors as a file of this size can hold, and as fit 4 GiB. */
function allocateFor(size: number, width: number) {
  const most = Math.floor(2 ** 32 / (width + 4)) - 1;
  const count = Math.min(
    most,
    Math.floor(size / (VECTOR_RECORD_OVERHEAD + width + PASSAGE_RECORD_BYTES)) + 1,
  );
  const vectors = allocateVectors(count, width);
  return { vectors, ...viewVectors(vectors) };
}
