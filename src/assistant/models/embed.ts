import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isErrorKey } from '#contract/errors.ts';
import { observeFetch } from '#egress/observe-fetch.ts';
import { createOriginFetch } from '#egress/origin-fetch.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import { isRetryable, retryAfter, toModelError, unwrapError } from './model-errors.ts';
import type { ModelSettings, OutboundCall } from './port.ts';
import type { Timeouts } from './provider.ts';

/** Settings of an embedding model: providers of chat models only are excluded. */
export type EmbedderSettings = ModelSettings & { provider: Exclude<ModelSettings['provider'], 'anthropic'> };

/** Embedding model of any provider. */
export interface Embedder {
  /** Configured name, `provider:model`. */
  readonly name: string;
  /**
   * Embeds every text into vectors of one length; obvious secrets are redacted. Throws AppError `rate_limited`, or
   * `unavailable` with reason `text_rejected` when another text may be accepted, `dimension_mismatch` for an invalid reply,
   * `stopped` after an abort.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
}

interface EmbedOptions {
  signal?: AbortSignal | undefined;
  /** Attempts after the first; none for interactive questions. */
  retries?: number;
  /** Called for every outbound call, failed ones included. */
  onCall?: ((call: OutboundCall) => void) | undefined;
}

/** A batch takes longer than the first token of a chat. */
const TIMEOUTS: Timeouts = { connectMs: 5_000, firstByteMs: 60_000, idleMs: 15_000, totalMs: 120_000 };
/** 64 vectors of 8,192 numbers, as text. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;
const MAX_RETRIES = 4;
/** Background work can wait as long as the provider requests. */
const MAX_RETRY_WAIT_S = 60;

/** Opens the configured embedding model. */
export function openEmbedder(settings: EmbedderSettings, timeouts: Timeouts = TIMEOUTS): Embedder {
  return {
    name: `${settings.provider}:${settings.name}`,
    async embed(texts, { signal, retries = MAX_RETRIES, onCall } = {}) {
      const values = texts.map(redactSecrets);
      for (let attempt = 0; ; attempt++) {
        try {
          return validateEmbeddings(
            await requestEmbeddings(settings, values, { timeouts, signal, onCall }),
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
  timeouts: Timeouts;
  signal: AbortSignal | undefined;
  onCall: EmbedOptions['onCall'];
}

/** Makes one attempt with the provider's library; throws the library's errors. */
async function requestEmbeddings(
  { provider, name, baseUrl: baseURL, apiKey }: EmbedderSettings,
  values: string[],
  { timeouts, signal, onCall }: EmbeddingCallOptions,
): Promise<number[][]> {
  const limits = { ...timeouts, maxBytes: MAX_REPLY_BYTES };
  const fetch = observeFetch(createOriginFetch(new URL(baseURL).origin, limits), onCall);
  const total = AbortSignal.timeout(timeouts.totalMs);
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

/** Validates that there are as many vectors as texts, of one length and of finite numbers. */
function validateEmbeddings(embeddings: number[][], count: number): Float32Array[] {
  const length = embeddings[0]?.length ?? 0;
  const isWhole = embeddings.length === count && (count === 0 || length > 0);
  const vectors = embeddings.map((numbers) => Float32Array.from(numbers));
  if (isWhole && vectors.every((vector) => vector.length === length && vector.every(Number.isFinite)))
    return vectors;
  throw new AppError('unavailable', 'embedding_reply_invalid', { reason: 'dimension_mismatch' });
}

/** A refusal may concern only one of the texts, so it has a reason of its own; other errors are those of any model. */
function toEmbeddingError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode } = error instanceof Error ? (error as { statusCode?: number }) : {};
  if (statusCode === 400 || statusCode === 413 || statusCode === 422) {
    return new AppError('unavailable', 'embedding_text_refused', { reason: 'text_rejected', cause: error });
  }
  const { code, messageKey, params, reason, retryAfter } = toModelError(error);
  const embeddingKey = `embedding_${messageKey}`;
  const key = isErrorKey(embeddingKey) ? embeddingKey : messageKey;
  return new AppError(code, key, { params, reason, retryAfter, cause: error });
}

function stoppedError(): AppError {
  return new AppError('unavailable', 'request_stopped', { reason: 'stopped' });
}
