import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { paddedWidth, quantizeVector } from './quantized-vectors.ts';
import {
  blobPrefix,
  encodeHeader,
  encodePassage,
  encodeVector,
  HEADER_BYTES,
  readVectorLog,
  type StoredPassage,
} from './vector-log.ts';

/** A passage of a blob. */
export interface PassageKey {
  blob: string;
  ordinal: number;
}

/** A content that is new, and the passages that have it. */
export interface NewVector {
  /** As `passageText` makes it. */
  key: string;
  vector: Float32Array;
}

/** The vectors of a project by one model, for the one who writes them. */
export interface VectorStore {
  /** Vectors that are stored. */
  readonly count: number;
  /** Numbers of each; null while there is none. */
  readonly dimensions: number | null;
  hasPassage(passage: PassageKey): boolean;
  /** Whether a content has a vector already. */
  hasText(key: string): boolean;
  /**
   * Stores vectors, and which content each of these passages has; durable once this resolves. Throws `unavailable` with
   * reason `wrong_dimension`, before anything is written, for a vector that does not fit the others.
   */
  append(vectors: readonly NewVector[], passages: readonly (PassageKey & { key: string })[]): Promise<void>;
  /** Forgets the passages that are not kept, and their contents, when they are most of the file. */
  compact(isKept: (passage: PassageKey) => boolean): Promise<void>;
}

/** Contents below which nothing is tidied. */
const MIN_COMPACTION_COUNT = 500;

/** Opens the file for its one writer, makes it when it is missing, and cuts off what a killed process left unfinished. */
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
    if (state.bytes === 0) await create(path, dimensions);
    const start = state.bytes || HEADER_BYTES;
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
    async compact(isKept) {
      const kept = selectPassages(state, isKept);
      const live = new Set(kept.map(({ vector }) => vector));
      if (state.count < MIN_COMPACTION_COUNT || live.size > state.count / 2) return;
      await rewrite(path, kept, live);
      state = await readState(path, signal);
    },
  };
}

interface State {
  /** Null while nothing has been stored. */
  dimensions: number | null;
  /** Sound bytes of the file; 0 when there is none that can be used. */
  bytes: number;
  count: number;
  /** Number of the vector by key of the content. */
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

/** The numbers of a vector; null when there is neither one stored nor a new one. */
function checkDimensions(known: number | null, vectors: readonly NewVector[]): number | null {
  const dimensions = known ?? vectors[0]?.vector.length ?? null;
  const odd = vectors.find(({ vector }) => vector.length !== dimensions);
  if (!odd) return dimensions;
  const text = `The embedding model answered with vectors of ${odd.vector.length} numbers, where those stored have ${dimensions}.`;
  throw new AppError('unavailable', text, { reason: 'wrong_dimension' });
}

/** A vector of length 1, so that products are cosines; one of zeros stays. */
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

async function create(path: string, dimensions: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.new`;
  await rm(aside, { force: true });
  await writeAt(aside, 0, encodeHeader(dimensions), 'w');
  await rename(aside, path);
}

async function truncate(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
  } finally {
    await file.close();
  }
}

/** Writes and waits until it lasts; returns how many bytes. */
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

/** The passages that are kept. `isKept` is asked by the names that the file has: the first 64 bits. */
function selectPassages(state: State, isKept: (passage: PassageKey) => boolean): StoredPassage[] {
  return [...state.passages.values()].filter(({ high, low, ordinal }) => {
    const hex = (value: number) => value.toString(16).padStart(8, '0');
    return isKept({ blob: hex(high) + hex(low), ordinal });
  });
}

/** Writes the file anew with these passages and vectors, and puts it in the place of the old one in one step. */
async function rewrite(
  path: string,
  kept: readonly StoredPassage[],
  live: ReadonlySet<number>,
): Promise<void> {
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    const numbers = new Map<number, number>();
    const pending: Buffer[] = [];
    let count = 0;
    const onVector = (vector: Parameters<typeof encodeVector>[0]) => {
      const number = count++;
      if (!live.has(number)) return;
      numbers.set(number, numbers.size);
      pending.push(encodeVector(vector));
    };
    const read = await readVectorLog(path, { onVector, onPassage: () => {} });
    await file.write(encodeHeader(read!.dimensions));
    for (const record of pending) await file.write(record);
    for (const passage of kept) {
      await file.write(encodePassage({ ...passage, vector: numbers.get(passage.vector)! }));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
}
