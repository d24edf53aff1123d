import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isErrorKey } from '#contract/errors.ts';
import { createOriginFetch } from '#egress/origin-fetch.ts';
import { observeFetch } from '#egress/observe-fetch.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { isRetryable, retryAfter, toModelError, unwrapError } from './model-errors.ts';
import type { ModelSettings, OutboundCall } from './port.ts';
import type { Timeouts } from './provider.ts';

/** An embedding model's settings: no provider of chat models alone has one. */
export type EmbedderSettings = ModelSettings & { provider: Exclude<ModelSettings['provider'], 'anthropic'> };

/** A model that turns texts into vectors, whoever runs it. */
export interface Embedder {
  /** As the operator named it, `provider:model`. */
  readonly name: string;
  /**
   * A vector for every text, all of one length; obvious secrets do not leave the machine. Throws AppError in words for people:
   * `rate_limited`, or `unavailable` with reason `text_refused` where another text may be taken, `wrong_dimension` for an
   * answer that is none, `stopped` after an abort.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
}

export interface EmbedOptions {
  signal?: AbortSignal | undefined;
  /** Attempts after the first. A question that somebody waits for has none. */
  retries?: number;
  /** Tells of every call that leaves the machine, also of one that fails. */
  onCall?: ((call: OutboundCall) => void) | undefined;
}

/** A batch takes longer than a first word. */
const TIMEOUTS: Timeouts = { connectMs: 5_000, firstByteMs: 60_000, idleMs: 15_000, totalMs: 120_000 };
/** 64 vectors of 8192 numbers, as text. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;
const MAX_RETRIES = 4;
/** Nobody waits for the work in the background: a provider may ask it to. */
const MAX_RETRY_WAIT_S = 60;

/** The embedding model that the operator named. */
export function openEmbedder(settings: EmbedderSettings, timeouts: Timeouts = TIMEOUTS): Embedder {
  return {
    name: `${settings.provider}:${settings.name}`,
    async embed(texts, { signal, retries = MAX_RETRIES, onCall } = {}) {
      const values = texts.map(redactSecrets);
      for (let attempt = 0; ; attempt++) {
        try {
          return validateEmbeddings(
            await requestEmbeddings(settings, values, { patience: timeouts, signal, onCall }),
            values.length,
          );
        } catch (thrown) {
          if (signal?.aborted) throw stoppedError();
          const error = unwrapError(thrown);
          const wait = retryAfter(error) ?? 2 ** attempt * (0.5 + Math.random() / 2);
          if (attempt >= retries || !isRetryable(error) || wait > MAX_RETRY_WAIT_S)
            throw toEmbeddingError(error);
          await sleep(wait * 1000, undefined, { signal }).catch(() => {
            throw stoppedError();
          });
        }
      }
    },
  };
}

interface EmbeddingCallOptions {
  patience: Timeouts;
  signal: AbortSignal | undefined;
  onCall: EmbedOptions['onCall'];
}

/** One attempt, as the provider's library makes it: its errors are those of the library. */
async function requestEmbeddings(
  { provider, name, baseUrl: baseURL, apiKey }: EmbedderSettings,
  values: string[],
  { patience, signal, onCall }: EmbeddingCallOptions,
): Promise<number[][]> {
  const limits = { ...patience, maxBytes: MAX_REPLY_BYTES };
  const fetch = observeFetch(createOriginFetch(new URL(baseURL).origin, limits), onCall);
  const total = AbortSignal.timeout(patience.totalMs);
  const abortSignal = signal ? AbortSignal.any([signal, total]) : total;
  const common = { baseURL, name: provider, fetch };
  if (provider === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    const model = createGoogle({ ...common, apiKey: apiKey ?? '' }).embeddingModel(name);
    return (await model.doEmbed({ values, abortSignal })).embeddings;
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const client = createOpenAICompatible({ ...common, ...(apiKey !== null && { apiKey }) });
  return (await client.embeddingModel(name).doEmbed({ values, abortSignal })).embeddings;
}

/** As many vectors as texts, of one length, of finite numbers. */
function validateEmbeddings(embeddings: number[][], count: number): Float32Array[] {
  const length = embeddings[0]?.length ?? 0;
  const isWhole = embeddings.length === count && (count === 0 || length > 0);
  const vectors = embeddings.map((numbers) => Float32Array.from(numbers));
  if (isWhole && vectors.every((vector) => vector.length === length && vector.every(Number.isFinite)))
    return vectors;
  throw new AppError('unavailable', 'embedding_reply_invalid', { reason: 'wrong_dimension' });
}

/** What the texts are refused for may be true of one of them alone; the other failures are those of every model. */
function toEmbeddingError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode } = error instanceof Error ? (error as { statusCode?: number }) : {};
  if (statusCode === 400 || statusCode === 413 || statusCode === 422) {
    return new AppError('unavailable', 'embedding_text_refused', { reason: 'text_refused', cause: error });
  }
  const { code, messageKey, params, reason, retryAfter } = toModelError(error);
  const embeddingKey = `embedding_${messageKey}`;
  const key = isErrorKey(embeddingKey) ? embeddingKey : messageKey;
  return new AppError(code, key, { params, reason, retryAfter, cause: error });
}

function stoppedError(): AppError {
  return new AppError('unavailable', 'request_stopped', { reason: 'stopped' });
}
