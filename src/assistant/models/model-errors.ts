import { AppError, type ErrorKey } from '#contract/errors.ts';
import { FetchFailure } from '#egress/origin-fetch.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';

const MAX_PROVIDER_MESSAGE = 300;

/** Fields of the libraries' errors for a rejected call; each library has its own class. */
interface CallError {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
}

/**
 * True when a retry may succeed: the provider was busy, failing or unreachable. Errors about the request, the account or
 * an exhausted budget are permanent.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.reason === 'unreachable';
  const status = statusOf(error);
  return (status === 429 && !isBudgetExhausted(error)) || (status !== undefined && status >= 500);
}

/** True when the call was rejected because the model does not support tools. */
export function isToolUseUnsupported(error: unknown): boolean {
  return [400, 404, 422, 501].includes(statusOf(error) ?? 0) && /\btool|function.?call/i.test(bodyOf(error));
}

/** True when the call was rejected because the model does not support output formats. */
export function isFormatUnsupported(error: unknown): boolean {
  return (
    [400, 404, 422, 501].includes(statusOf(error) ?? 0) &&
    /response.?(?:format|schema|mime)|output.?(?:format|config)|json.?(?:schema|mode)|structured|grammar|tool.?choice/i.test(
      bodyOf(error),
    )
  );
}

/** Seconds of the provider's `Retry-After` header, if any. */
export function retryAfter(error: unknown): number | undefined {
  const text = callError(error).responseHeaders?.['retry-after'];
  return text && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** Converts an error of a provider to an AppError. The provider's text stays in the cause: it is untrusted. */
export function toModelError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = statusOf(error);
  const fail = (reason: ErrorKey) => new AppError('unavailable', reason, { reason, cause: error });
  if (status === 429 && isBudgetExhausted(error)) {
    return fail('model_quota_exceeded');
  }
  if (status === 429) {
    return new AppError('rate_limited', 'model_rate_limited', {
      reason: 'model_rate_limited',
      cause: error,
      retryAfter: retryAfter(error) ?? 10,
    });
  }
  if (status === 401 || status === 403) {
    return fail('model_key_rejected');
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return fail('model_redirected');
  }
  if (status === 404) {
    return fail('model_not_found');
  }
  if (status === 413 || (status === 400 && /context|too long|maximum/i.test(bodyOf(error)))) {
    return fail('model_context_length_exceeded');
  }
  if (error instanceof FetchFailure && error.reason === 'timed_out') {
    return fail('model_timed_out');
  }
  if (error instanceof FetchFailure && error.reason === 'unreachable') {
    return fail('model_unreachable');
  }
  return fail('model_failed');
}

/** Finds the innermost error of our own: libraries wrap the errors of `fetch`. */
export function unwrapError(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof FetchFailure || inner instanceof AppError) return inner;
  }
  return error;
}

function statusOf(error: unknown): number | undefined {
  return callError(error).statusCode;
}

/** The provider's own words about a failure, for the owner of the key alone: one line, without secrets. */
export function providerMessage(error: unknown, apiKey: string | null): string | null {
  const text = bodyOf(unwrapError(error)) || bodyOf(error);
  let words: unknown;
  try {
    const { error: detail, message } = JSON.parse(text);
    words = typeof detail === 'string' ? detail : (detail?.message ?? message);
  } catch {
    return null;
  }
  if (typeof words !== 'string') return null;
  const withoutKey = apiKey ? words.replaceAll(apiKey, '[redacted]') : words;
  return redactSecrets(withoutKey).replace(/\s+/g, ' ').trim().slice(0, MAX_PROVIDER_MESSAGE) || null;
}

function bodyOf(error: unknown): string {
  return callError(error).responseBody ?? '';
}

function callError(error: unknown): CallError {
  return error instanceof Error ? (error as CallError) : {};
}

/** True for an exhausted budget: providers reply 429 for it as well, and only the body differs. */
function isBudgetExhausted(error: unknown): boolean {
  return /insufficient_quota|billing|spend|credit balance/i.test(bodyOf(error));
}
