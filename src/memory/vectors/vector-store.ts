import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { paddedWidth, quantizeVector } from './quantized-vectors.ts';
import {
  blobPrefix,
  encodePassage,
  encodeVector,
  encodeVectorHeader,
  readVectorLog,
  type StoredPassage,
} from './vector-log.ts';

/** Identifies a passage by its blob and its ordinal there. */
export interface PassageKey {
  blob: string;
  ordinal: number;
}

/** Vector of a new text. */
export interface NewVector {
  /** Key of `formatPassageText`. */
  key: string;
  vector: Float32Array;
}

/** Vectors of a project by one model, opened by their only writer. */
export interface VectorStore {
  /** Number of vectors. */
  readonly count: number;
  /** Dimensions of the vectors; null while there is none. */
  readonly dimensions: number | null;
  hasPassage(passage: PassageKey): boolean;
  /** True when a text has a vector. */
  hasText(key: string): boolean;
  /**
   * Stores vectors and the texts of passages; durable once this resolves. Throws `unavailable` with reason
   * `dimension_mismatch`, before anything is written, for a vector of other dimensions.
   */
  append(vectors: readonly NewVector[], passages: readonly (PassageKey & { key: string })[]): Promise<void>;
  /** Rewrites the file without the passages that are not live, and without their vectors, when those are the majority. */
  compact(isLive: (passage: PassageKey) => boolean): Promise<void>;
}

/** Vectors below which a file is not compacted. */
const MIN_COMPACTION_COUNT = 500;

/** Opens the file for its only writer and truncates what a killed process left unfinished. */
export async function openVectorStore(path: string, signal?: AbortSignal): Promise<VectorStore> {
  let state = await readState(path, signal);
  if (state.bytes > 0) await truncate(path, state.bytes);

  const append: VectorStore['append'] = async (vectors, passages) => {
    const dimensions = checkDimensions(state.dimensions, vectors);
    if (dimensions === null) return;
    const width = paddedWidth(dimensions);
    const numbers = new Map(vectors.map(({ key }, index) => [key, state.count + index]));
    const stored = passages.map((passage) => {
      const vector = numbers.get(passage.key) ?? state.texts.get(passage.key)!;
      return { ...blobPrefix(passage.blob), ordinal: passage.ordinal, vector };
    });
    const records = [
      ...vectors.map(({ key, vector }) => encodeVector({ key, ...normalizeAndQuantize(vector, width) })),
      ...stored.map(encodePassage),
    ];
    const start = state.bytes || (await create(path, dimensions));
    const written = await writeAt(path, start, Buffer.concat(records));
    for (const [key, number] of numbers) state.texts.set(key, number);
    for (const passage of stored) state.passages.set(passageKeyOf(passage), passage);
    state = { ...state, dimensions, bytes: start + written, count: state.count + vectors.length };
  };

  return {
    get count() {
      return state.count;
    },
    get dimensions() {
      return state.dimensions;
    },
    hasPassage: ({ blob, ordinal }) => state.passages.has(passageKeyOf({ ...blobPrefix(blob), ordinal })),
    hasText: (key) => state.texts.has(key),
    append,
    async compact(isLive) {
      const livePassages = selectPassages(state, isLive);
      const liveVectors = new Set(livePassages.map(({ vector }) => vector));
      if (state.count < MIN_COMPACTION_COUNT || liveVectors.size > state.count / 2) return;
      await rewrite(path, livePassages, liveVectors);
      state = await readState(path, signal);
    },
  };
}

interface State {
  /** Null while nothing has been stored. */
  dimensions: number | null;
  /** Valid bytes of the file; 0 when it can't be used. */
  bytes: number;
  count: number;
  /** Vector numbers by key of the text. */
  texts: Map<string, number>;
  passages: Map<string, StoredPassage>;
}

async function readState(path: string, signal: AbortSignal | undefined): Promise<State> {
  const texts = new Map<string, number>();
  const passages = new Map<string, StoredPassage>();
  let count = 0;
  const listener = {
    onVector: ({ key }: { key: string }) => void texts.set(key, count++),
    onPassage: (passage: StoredPassage) => void passages.set(passageKeyOf(passage), passage),
  };
  const read = await readVectorLog(path, listener, signal);
  return { dimensions: read?.dimensions ?? null, bytes: read?.bytes ?? 0, count, texts, passages };
}

function passageKeyOf({ high, low, ordinal }: Omit<StoredPassage, 'vector'>): string {
  return `${high}:${low}:${ordinal}`;
}

/** The common dimensions of all vectors; null without any. */
function checkDimensions(stored: number | null, vectors: readonly NewVector[]): number | null {
  const dimensions = stored ?? vectors[0]?.vector.length ?? null;
  const odd = vectors.find(({ vector }) => vector.length !== dimensions);
  if (!odd) return dimensions;
  throw new AppError('unavailable', 'embedding_dimensions_differ', {
    params: { dimensions: odd.vector.length, stored: dimensions ?? 0 },
    reason: 'dimension_mismatch',
  });
}

/** Normalizes a vector to length 1, so that products are cosines, and quantizes it; zeros stay. */
function normalizeAndQuantize(vector: Float32Array, width: number): { factor: number; bytes: Int8Array } {
  const length = Math.hypot(...vector) || 1;
  const bytes = new Int8Array(width);
  return {
    factor: quantizeVector(
      vector.map((value) => value / length),
      bytes,
    ),
    bytes,
  };
}

/** Creates the file atomically; returns its size. */
async function create(path: string, dimensions: number): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  const written = await writeAt(temporary, 0, encodeVectorHeader(dimensions), 'w');
  await rename(temporary, path);
  return written;
}

async function truncate(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
  } finally {
    await file.close();
  }
}

/** Writes bytes and makes them durable; returns their number. */
async function writeAt(path: string, position: number, bytes: Buffer, flags = 'r+'): Promise<number> {
  const file = await open(path, flags, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) {
      at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes.length;
}

/** Selects live passages. `isLive` gets the first 64 bits of the blob's hash, as the file has them. */
function selectPassages(state: State, isLive: (passage: PassageKey) => boolean): StoredPassage[] {
  return [...state.passages.values()].filter(({ high, low, ordinal }) => {
    const hex = (value: number) => value.toString(16).padStart(8, '0');
    return isLive({ blob: hex(high) + hex(low), ordinal });
  });
}

/** Replaces the file atomically by one with only these passages and vectors. */
async function rewrite(
  path: string,
  passages: readonly StoredPassage[],
  vectors: ReadonlySet<number>,
): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    const numbers = new Map<number, number>();
    const pending: Buffer[] = [];
    let count = 0;
    const onVector = (vector: Parameters<typeof encodeVector>[0]) => {
      const number = count++;
      if (!vectors.has(number)) return;
      numbers.set(number, numbers.size);
      pending.push(encodeVector(vector));
    };
    const read = await readVectorLog(path, { onVector, onPassage: () => {} });
    await file.write(encodeVectorHeader(read!.dimensions));
    for (const record of pending) await file.write(record);
    for (const passage of passages) {
      await file.write(encodePassage({ ...passage, vector: numbers.get(passage.vector)! }));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
