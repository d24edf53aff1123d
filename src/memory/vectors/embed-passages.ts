import { AppError } from '#contract/errors.ts';
import { type BlobReader, openBlobReader } from '#git/blobs.ts';
import type { PathMatcher } from '#git/path-patterns.ts';
import type { CodeTable } from '../repository-index.ts';
import { formatPassageText } from './passage-text.ts';
import { blobPrefix } from './vector-log.ts';
import { type NewVector, openVectorStore, type PassageKey, type VectorStore } from './vector-store.ts';

/** Embeds texts as vectors of equal length. Throws AppError, with reason `text_rejected` for the content of the texts. */
type EmbedTexts = (texts: string[], signal?: AbortSignal) => Promise<Float32Array[]>;

interface EmbedPassagesOptions {
  /** Absolute path of the bare repository. */
  repo: string;
  code: CodeTable;
  /** The file of vectors; it must have no other writer. */
  path: string;
  embed: EmbedTexts;
  /** Paths whose passages are not embedded, also where another path has the same content. */
  isExcluded?: PathMatcher;
  /** Keeps vectors of passages that are not in this code, for files that revisions share. */
  keepAll?: boolean;
  /** Passages done, of those that had no vector at the start. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** Limits of one call: above them, providers refuse or are slow. */
const BATCH_TEXTS = 64;
const BATCH_CHARACTERS = 60_000;
/** Concurrent calls. Their vectors are stored together. */
const CONCURRENT_BATCHES = 3;

/** Files beyond this many bytes are not indexed by default. */
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** A text without a vector, and its passages. */
interface PendingText {
  key: string;
  text: string;
  passages: PassageKey[];
}

/**
 * Embeds every passage of the code that has no vector: each text once, however many passages share it. Finished batches
 * are durable, so the next run resumes there. Returns the number of embedded texts.
 */
export async function embedPassages(options: EmbedPassagesOptions): Promise<number> {
  const { repo, code, path, embed, onProgress, signal } = options;
  const store = await openVectorStore(path, signal);
  const pending = listPendingFiles(code, store, options.isExcluded);
  const total = pending.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  const blobs = openBlobReader(repo, { signal });
  let [done, embedded] = [0, 0];
  try {
    for await (const wave of waves(pending, code, blobs, store)) {
      signal?.throwIfAborted();
      const { vectors, failure } = await embedWave(wave, { embed, store, signal });
      const embeddedKeys = new Set(vectors.map(({ key }) => key));
      const stored = wave.filter(({ key }) => embeddedKeys.has(key) || store.hasText(key));
      const passages = stored.flatMap(({ key, passages }) =>
        passages.map((passage) => ({ ...passage, key })),
      );
      await store.append(vectors, passages);
      if (failure) throw failure.reason;
      embedded += vectors.length;
      done += passages.length;
      onProgress?.(done, total);
    }
  } finally {
    blobs.close();
  }
  if (options.keepAll) return embedded;
  const shown = countPassagesByBlob(code);
  await store.compact(({ blob, ordinal }) => ordinal < (shown.get(prefixKey(blob)) ?? 0));
  return embedded;
}

interface PendingFile {
  file: number;
  ordinals: number[];
}

/** Lists one file of every blob that has passages without a vector. */
function listPendingFiles(code: CodeTable, store: VectorStore, isExcluded?: PathMatcher): PendingFile[] {
  const seen = new Set<string>();
  if (isExcluded) {
    for (let file = 0; file < code.fileCount; file++)
      if (isExcluded(code.filePath(file))) seen.add(code.fileBlob(file));
  }
  const found: PendingFile[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const blob = code.fileBlob(file);
    if (seen.has(blob)) continue;
    seen.add(blob);
    const all = Array.from({ length: code.filePassages(file).count }, (_, ordinal) => ordinal);
    const ordinals = all.filter((ordinal) => !store.hasPassage({ blob, ordinal }));
    if (ordinals.length > 0) found.push({ file, ordinals });
  }
  return found;
}

/** Reads files and yields waves of texts, each for CONCURRENT_BATCHES calls. */
async function* waves(
  pending: readonly PendingFile[],
  code: CodeTable,
  blobs: BlobReader,
  store: VectorStore,
): AsyncGenerator<PendingText[], void, undefined> {
  let wave = new Map<string, PendingText>();
  let [texts, characters] = [0, 0];
  for (const { file, ordinals } of pending) {
    const blob = code.fileBlob(file);
    const lines = await linesOf(blobs, blob);
    for (const ordinal of ordinals) {
      const passage = code.filePassages(file).first + ordinal;
      const { start, end } = code.passageLines(passage);
      const source = lines.slice(start - 1, end).join('\n');
      const { key, text } = formatPassageText(code.filePath(file), code.passageSymbol(passage), source);
      const shared = wave.get(key);
      if (shared) shared.passages.push({ blob, ordinal });
      else wave.set(key, { key, text, passages: [{ blob, ordinal }] });
      if (shared || store.hasText(key)) continue;
      texts += 1;
      characters += text.length;
      if (texts < CONCURRENT_BATCHES * BATCH_TEXTS && characters < CONCURRENT_BATCHES * BATCH_CHARACTERS)
        continue;
      yield [...wave.values()];
      wave = new Map();
      [texts, characters] = [0, 0];
    }
  }
  if (wave.size > 0) yield [...wave.values()];
}

async function linesOf(blobs: BlobReader, blob: string): Promise<string[]> {
  const read = await blobs.read(blob, MAX_SOURCE_BYTES);
  return read && 'content' in read ? read.content.toString('utf8').split('\n') : [];
}

function batches(missing: readonly PendingText[]): PendingText[][] {
  const all: PendingText[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const one of missing) {
    const isFull = all.at(-1)?.length === BATCH_TEXTS || characters + one.text.length > BATCH_CHARACTERS;
    if (isFull) {
      all.push([]);
      characters = 0;
    }
    all.at(-1)!.push(one);
    characters += one.text.length;
  }
  return all;
}

interface EmbeddingContext {
  embed: EmbedTexts;
  store: VectorStore;
  signal: AbortSignal | undefined;
}

/** Embeds the new texts of a wave. Vectors of successful calls are kept when another one fails. */
async function embedWave(
  wave: readonly PendingText[],
  embedding: EmbeddingContext,
): Promise<{ vectors: NewVector[]; failure: PromiseRejectedResult | undefined }> {
  const newBatches = batches(wave.filter(({ key }) => !embedding.store.hasText(key)));
  const answers = await Promise.allSettled(
    newBatches.map((batch) =>
      embedOrBisect(
        batch.map(({ text }) => text),
        embedding,
      ),
    ),
  );
  const vectors = newBatches.flatMap((batch, index) => {
    const answer = answers[index]!;
    return answer.status === 'fulfilled'
      ? zeroIfRefused(batch, answer.value, embedding.store.dimensions)
      : [];
  });
  return { vectors, failure: answers.find((answer) => answer.status === 'rejected') };
}

/** Length to which a text that is refused alone is truncated for one retry; refused again, its vector is null. */
const MAX_RETRY_LENGTH = 1500;

/** Embeds texts. When the provider refuses them together, the refused one is found by bisection. */
async function embedOrBisect(texts: string[], embedding: EmbeddingContext): Promise<(Float32Array | null)[]> {
  const { embed, store, signal } = embedding;
  try {
    return await embed(texts, signal);
  } catch (error) {
    const isRefused = error instanceof AppError && error.reason === 'text_rejected';
    // A provider that has never accepted a text refuses the request itself.
    if (!isRefused || store.count === 0) throw error;
  }
  if (texts.length === 1) {
    const [text = ''] = texts;
    if (text.length <= MAX_RETRY_LENGTH) return [null];
    return await embedOrBisect([text.slice(0, MAX_RETRY_LENGTH).toWellFormed()], embedding);
  }
  const middle = Math.ceil(texts.length / 2);
  const first = await embedOrBisect(texts.slice(0, middle), embedding);
  return [...first, ...(await embedOrBisect(texts.slice(middle), embedding))];
}

/** Refused texts get a vector of zeros: similar to nothing, and never requested again. */
function zeroIfRefused(
  batch: readonly PendingText[],
  vectors: readonly (Float32Array | null)[],
  dimensions: number | null,
): NewVector[] {
  return batch.map(({ key }, index) => ({
    key,
    vector: vectors[index] ?? new Float32Array(dimensions ?? 0),
  }));
}

/** Counts the passages of each blob, by the first 64 bits of its hash. */
function countPassagesByBlob(code: CodeTable): Map<string, number> {
  const counts = new Map<string, number>();
  for (let file = 0; file < code.fileCount; file++) {
    counts.set(prefixKey(code.fileBlob(file)), code.filePassages(file).count);
  }
  return counts;
}

function prefixKey(blob: string): string {
  const { high, low } = blobPrefix(blob);
  return `${high}:${low}`;
}
