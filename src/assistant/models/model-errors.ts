import { AppError, type ErrorKey } from '#contract/errors.ts';
import { FetchFailure } from '#egress/origin-fetch.ts';

/** What the libraries' errors of a refused call carry; each library has a class of its own for it. */
interface CallError {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
}

/**
 * Whether a second attempt may succeed: the provider was busy, broken or out of reach. What it says about the
 * question or the account will not change by asking again, and neither does a spent budget.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.reason === 'unreachable';
  const status = statusOf(error);
  return (status === 429 && !isBudgetExhausted(error)) || (status !== undefined && status >= 500);
}

/** Whether the provider refused the call because its model cannot use tools. */
export function isToolUseUnsupported(error: unknown): boolean {
  return [400, 404, 422, 501].includes(statusOf(error) ?? 0) && /\btool|function.?call/i.test(bodyOf(error));
}

/** Whether the provider refused the call because its model cannot be told what its answer must be. */
export function isFormatUnsupported(error: unknown): boolean {
  return (
    [400, 404, 422, 501].includes(statusOf(error) ?? 0) &&
    /response.?(?:format|schema|mime)|output.?(?:format|config)|json.?(?:schema|mode)|structured|grammar|tool.?choice/i.test(
      bodyOf(error),
    )
  );
}

/** Seconds after which the provider wants to be asked again, when it says so. */
export function retryAfter(error: unknown): number | undefined {
  const text = callError(error).responseHeaders?.['retry-after'];
  return text && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** A failure of a model in words for people. What the provider said stays in the cause: it may hold anything. */
export function toModelError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = statusOf(error);
  const fail = (reason: ErrorKey) => new AppError('unavailable', reason, { reason, cause: error });
  if (status === 429 && isBudgetExhausted(error)) {
    return fail('model_budget');
  }
  if (status === 429) {
    return new AppError('rate_limited', 'model_busy', {
      reason: 'model_busy',
      cause: error,
      retryAfter: retryAfter(error) ?? 10,
    });
  }
  if (status === 401 || status === 403) {
    return fail('model_key');
  }
  if (status === 404) {
    return fail('model_unknown');
  }
  if (status === 413 || (status === 400 && /context|too long|maximum/i.test(bodyOf(error)))) {
    return fail('model_too_long');
  }
  if (error instanceof FetchFailure && error.reason === 'timed_out') {
    return fail('model_slow');
  }
  if (error instanceof FetchFailure && error.reason === 'unreachable') {
    return fail('model_unreachable');
  }
  return fail('model_failed');
}

/** Libraries wrap what `fetch` threw; the innermost error that we know is the one that counts. */
export function unwrapError(error: unknown): unknown {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof FetchFailure || inner instanceof AppError) return inner;
  }
  return error;
}

function statusOf(error: unknown): number | undefined {
  return callError(error).statusCode;
}

function bodyOf(error: unknown): string {
  return callError(error).responseBody ?? '';
}

function callError(error: unknown): CallError {
  return error instanceof Error ? (error as CallError) : {};
}

/** Providers answer 429 for a spent budget too, and only the body tells. */
function isBudgetExhausted(error: unknown): boolean {
  return /insufficient_quota|billing|spend|credit balance/i.test(bodyOf(error));
}
