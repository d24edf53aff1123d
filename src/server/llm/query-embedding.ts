import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Embedder } from '#assistant/models/embed.ts';
import { withholdPaths } from '#assistant/models/withhold-paths.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { createVectorCache } from '#memory/vectors/vector-cache.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { projectStorage } from '../project-data/storage.ts';
import { recordEgress } from './egress-record.ts';
import { loadModelExclusions } from './project-model.ts';

/** Name of the job that embeds the passages of a project. */
export const EMBEDDING_JOB = 'embeddings';

/** Payload of the job. */
export interface EmbeddingJob {
  project_id: string;
}

/** User and project of a query. */
export interface EmbeddingCaller {
  project: { id: string; shard_generation: string | null };
  userId: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** Embeds queries with the configured embedding model. */
export interface QueryEmbedder {
  /**
   * Returns the embedding of a text with the vectors of the project's passages. Null without a model or vectors, and when the
   * model fails or times out; never rejects.
   */
  embedQuery(text: string, caller: EmbeddingCaller): Promise<QueryEmbedding | null>;
  /** Evicts the cached vectors of a deleted project. */
  evictProject(projectId: string): void;
}

const EMBEDDING_TIMEOUT_MS = 3_000;
/** After this many consecutive failures the circuit opens, so that queries do not wait for timeouts. */
const FAILURE_THRESHOLD = 3;
const CIRCUIT_OPEN_MS = 60_000;
/** Characters of a query that are sent: its head, and its tail, where a stack trace names the cause. */
const MAX_HEAD_CHARS = 4_000;
const MAX_TAIL_CHARS = 2_000;
/** In query embeddings; paging and the tools of one answer repeat queries. */
const QUERY_CACHE_SIZE = 200;
/** Interval at which a query enqueues the embedding job, to make up for lost requests. */
const VECTORS_CHECK_INTERVAL_MS = 3_600_000;

/** Builds the query of an error report: the user's context first, then the error message. */
export function errorQueryText(report: {
  error_message?: string | null;
  additional_context?: string | null;
}): string {
  return [report.additional_context, report.error_message].filter(Boolean).join('\n\n');
}

/** Returns the folder of a project's vectors of all models. */
export function vectorsFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'vectors');
}

/** Returns the folder name of a model: readable, and unique by a hash. */
export function modelFolder(name: string): string {
  const readable = name.replace(/[^\w.-]+/g, '-').slice(0, 60);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** Returns the path of the vectors by one model below the folder of their project. */
export function vectorsPath(model: string): string {
  return `vectors/${modelFolder(model)}/vectors`;
}

/** Returns the file of a project's vectors by one model. */
export function vectorsFile(dataDir: string, projectId: string, model: string): string {
  return join(projectStorage(dataDir, projectId).root, vectorsPath(model));
}

/** Enqueues embedding of passages without vectors; a queued run is joined. */
async function queueVectors(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<EmbeddingJob>(EMBEDDING_JOB, { project_id: projectId });
}

/** Creates the embedder of queries; without a model it always returns null. */
export function createQueryEmbedder(
  deps: Pick<Deps, 'db' | 'config' | 'jobs' | 'queues' | 'projectFiles' | 'now'>,
  { embedder, log, maxBytes, maxStaleMs }: QueryEmbedderOptions,
): QueryEmbedder {
  if (embedder === null) return { embedQuery: async () => null, evictProject: () => {} };
  const vectorCache = createVectorCache({ maxBytes, maxStaleMs });
  const ask = createCachedEmbed(deps, embedder, log);
  /** Time of the last check by project and generation. */
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
    async embedQuery(text, caller) {
      try {
        if (!(await isFeatureEnabled(deps, 'models'))) return null;
        look(caller.project);
        await deps.projectFiles.follow(caller.project.id, vectorsPath(embedder.name));
        const stored = await vectorCache.open(
          vectorsFile(deps.config.dataDir, caller.project.id, embedder.name),
        );
        if (stored === null) return null;
        const isExcluded = await loadModelExclusions(deps, caller.project.id);
        const query = await ask(isExcluded ? withholdPaths(text, isExcluded) : text, caller);
        if (query === null || query.length === stored.dimensions) return query && { ...stored, query };
        log.warn({ query: query.length, stored: stored.dimensions }, 'the embedding model has changed');
      } catch (error) {
        log.warn({ err: error }, 'a question is answered without its vector');
      }
      return null;
    },
    evictProject: (projectId) => vectorCache.evict(vectorsFolder(deps.config.dataDir, projectId)),
  };
}

interface QueryEmbedderOptions {
  embedder: Embedder | null;
  log: Logger;
  /** Size of the vector cache. */
  maxBytes: number;
  maxStaleMs?: number;
}

/** Creates a function that embeds queries with a cache and a circuit breaker; it returns null while the circuit is open. */
function createCachedEmbed(deps: Pick<Deps, 'db' | 'queues' | 'now'>, embedder: Embedder, log: Logger) {
  const cache = new LRUCache<string, Float32Array>({ max: QUERY_CACHE_SIZE });
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
    const cached = cache.get(text);
    if (cached) return cached;
    if (text.trim() === '' || performance.now() < circuitOpenUntil) return null;
    const onCall = recordEgress(deps, { purpose: 'embedding', projectId: project.id, userId }, (error) =>
      log.error({ err: error }, 'recording a call'),
    );
    // Time in the queue and disconnects do not count as failures of the model.
    const slot = await deps.queues.embeddings.acquire({
      userId,
      deadlineMs: 2 * EMBEDDING_TIMEOUT_MS,
      signal: caller,
    });
    try {
      const signal = AbortSignal.any([slot.signal, AbortSignal.timeout(EMBEDDING_TIMEOUT_MS)]);
      const [vector] = await embedder.embed([text.toWellFormed()], { signal, retries: 0, onCall });
      failures = 0;
      cache.set(text, vector!);
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
