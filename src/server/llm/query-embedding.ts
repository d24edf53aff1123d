import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Embedder } from '#assistant/models/embed.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { createVectorCache } from '#memory/vectors/vector-cache.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { projectStorage } from '../project-data/storage.ts';
import { recordEgress } from './egress-record.ts';

/** The job that gives the passages of a project their vectors. */
export const VECTORS_JOB = 'vectors';

/** What the job is told. */
export interface VectorsJob {
  project_id: string;
}

/** Who asks about which project. */
export interface EmbeddingCaller {
  project: { id: string; shard_generation: string | null };
  userId: string;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** What questions mean to the embedding model that the operator named. */
export interface QueryEmbedder {
  /**
   * What a text means, beside what the project's passages mean. Null without a model, while there are no vectors, and when
   * the model fails or takes too long: an answer is made without it. Never rejects.
   */
  embedQuery(text: string, asker: EmbeddingCaller): Promise<QueryEmbedding | null>;
  /** Frees the vectors of a project that has been deleted. */
  evictProject(projectId: string): void;
}

/** How long a question waits for its vector, in milliseconds. */
const EMBEDDING_TIMEOUT_MS = 3_000;
/** After so many failures in a row the model is not asked for so long: nobody should wait for it again and again. */
const FAILURE_THRESHOLD = 3;
const CIRCUIT_OPEN_MS = 60_000;
/** Characters of a question that are sent: its beginning, and its end, where a trace names its cause. */
const MAX_HEAD_CHARS = 4_000;
const MAX_TAIL_CHARS = 2_000;
/** Questions whose vectors are kept: paging, and the tools that one answer uses, ask the same again. */
const QUERY_CACHE_SIZE = 200;
/** Once in so long a question has the job look for what is missing, which makes up for requests that were lost. */
const VECTORS_CHECK_INTERVAL_MS = 3_600_000;

/** What is asked of the model when an error is to be answered: the words of the reader first, then what was printed. */
export function errorQueryText(report: {
  error_message?: string | null;
  additional_context?: string | null;
}): string {
  return [report.additional_context, report.error_message].filter(Boolean).join('\n\n');
}

/** Folder of the vectors of all models of a project. */
export function vectorsFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'vectors');
}

/** Name of a model's folder: readable, and different for models whose names differ. */
export function modelFolder(name: string): string {
  const readable = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** The file of a project's vectors by a model. */
export function vectorsFile(dataDir: string, projectId: string, model: string): string {
  return join(vectorsFolder(dataDir, projectId), modelFolder(model), 'vectors');
}

/** Has the missing vectors of a project made; a run that waits already is joined. */
export async function queueVectors(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<VectorsJob>(VECTORS_JOB, { project_id: projectId });
}

/** Asks the embedding model, or nobody when there is none. `maxStaleMs` is that of the library of vectors. */
export function createQueryEmbedder(
  deps: Pick<Deps, 'db' | 'config' | 'jobs' | 'queues' | 'now'>,
  { embedder, log, maxBytes, maxStaleMs }: QueryEmbedderOptions,
): QueryEmbedder {
  if (embedder === null) return { embedQuery: async () => null, evictProject: () => {} };
  const library = createVectorCache({ maxBytes, maxStaleMs });
  const ask = createCachedEmbed(deps, embedder, log);
  /** When the job was last asked for, by project and generation. */
  const looked = new Map<string, number>();

  const look = ({ id, shard_generation }: EmbeddingCaller['project']) => {
    const key = `${id} ${shard_generation}`;
    const last = looked.get(key);
    if (last !== undefined && performance.now() - last < VECTORS_CHECK_INTERVAL_MS) return;
    if (looked.size > 10_000) looked.clear();
    looked.set(key, performance.now());
    queueVectors(deps, id).catch((error) => log.warn({ err: error }, 'asking for vectors'));
  };

  return {
    async embedQuery(text, asker) {
      try {
        if (!(await isFeatureEnabled(deps, 'models'))) return null;
        look(asker.project);
        const stored = await library.open(vectorsFile(deps.config.dataDir, asker.project.id, embedder.name));
        if (stored === null) return null;
        const query = await ask(text, asker);
        if (query === null || query.length === stored.dimensions) return query && { ...stored, query };
        log.warn({ query: query.length, stored: stored.dimensions }, 'the embedding model has changed');
      } catch (error) {
        log.warn({ err: error }, 'a question is answered without its vector');
      }
      return null;
    },
    evictProject: (projectId) => library.evict(vectorsFolder(deps.config.dataDir, projectId)),
  };
}

interface QueryEmbedderOptions {
  embedder: Embedder | null;
  log: Logger;
  /** Vectors that are kept in memory. */
  maxBytes: number;
  maxStaleMs?: number;
}

/** Asks for the vector of a question once, within the time that a question has; null while the model rests. */
function createCachedEmbed(deps: Pick<Deps, 'db' | 'queues' | 'now'>, embedder: Embedder, log: Logger) {
  const kept = new Map<string, Float32Array>();
  let failures = 0;
  let circuitOpenUntil = 0;

  return async (
    whole: string,
    { project, userId, signal: caller }: EmbeddingCaller,
  ): Promise<Float32Array | null> => {
    const text =
      whole.length > MAX_HEAD_CHARS + MAX_TAIL_CHARS
        ? `${whole.slice(0, MAX_HEAD_CHARS)}\n${whole.slice(-MAX_TAIL_CHARS)}`
        : whole;
    const known = kept.get(text);
    if (known) return known;
    if (text.trim() === '' || performance.now() < circuitOpenUntil) return null;
    const onCall = recordEgress(deps, { purpose: 'embedding', projectId: project.id, userId }, (error) =>
      log.error({ err: error }, 'recording a call'),
    );
    // Waiting for a turn is no failure of the model, and neither is a caller who has gone.
    const slot = await deps.queues.embeddings.acquire({
      userId,
      deadlineMs: 2 * EMBEDDING_TIMEOUT_MS,
      signal: caller,
    });
    try {
      const signal = AbortSignal.any([slot.signal, AbortSignal.timeout(EMBEDDING_TIMEOUT_MS)]);
      const [vector] = await embedder.embed([text.toWellFormed()], { signal, retries: 0, onCall });
      failures = 0;
      if (kept.size >= QUERY_CACHE_SIZE) kept.delete(kept.keys().next().value!);
      kept.set(text, vector!);
      return vector!;
    } catch (error) {
      if (!slot.signal.aborted) failures += 1;
      if (failures >= FAILURE_THRESHOLD) circuitOpenUntil = performance.now() + CIRCUIT_OPEN_MS;
      throw error;
    } finally {
      slot.release();
    }
  };
}
