import { AppError } from '#contract/errors.ts';
import { FetchFailure } from '#egress/origin-fetch.ts';
import { toModelError, unwrapError } from './model-errors.ts';
import type { Model, ModelSettings, Prompt, WriteOptions } from './port.ts';
import { TIMEOUTS, type Timeouts } from './provider.ts';
import { type ModelCapabilities, runToolLoop } from './tool-loop.ts';

/** Consecutive failures that open the circuit breaker; calls then fail at once for `CIRCUIT_OPEN_MS`. */
const FAILURE_THRESHOLD = 5;
const CIRCUIT_OPEN_MS = 30_000;
/** Factor on the total timeout for an answer with tools. */
const TOOL_TIMEOUT_FACTOR = 3;

/**
 * Opens the configured model. Transient failures before the first token are retried twice; five consecutive failures open
 * the circuit breaker for 30 seconds.
 */
export function openModel(settings: ModelSettings, timeouts: Timeouts = TIMEOUTS): Model {
  let failures = 0;
  let circuitOpenUntil = 0;
  const capabilities: ModelCapabilities = { supportsTools: true, supportsFormat: true };
  const name = `${settings.provider}:${settings.name}`;

  async function* write(prompt: Prompt, { signal, ...options }: WriteOptions = {}) {
    if (performance.now() < circuitOpenUntil) throw circuitOpenError();
    const total = AbortSignal.timeout(timeouts.totalMs * (options.tools ? TOOL_TIMEOUT_FACTOR : 1));
    const either = signal ? AbortSignal.any([signal, total]) : total;
    try {
      yield* runToolLoop(settings, prompt, capabilities, { ...options, timeouts, signal: either });
      failures = 0;
    } catch (error) {
      if (signal?.aborted) throw new AppError('unavailable', 'request_stopped', { reason: 'stopped' });
      failures += 1;
      if (failures >= FAILURE_THRESHOLD) circuitOpenUntil = performance.now() + CIRCUIT_OPEN_MS;
      throw toModelError(total.aborted ? new FetchFailure('timed_out', error) : unwrapError(error));
    }
  }

  return { name, write };
}

function circuitOpenError(): AppError {
  return new AppError('unavailable', 'model_unavailable', {
    reason: 'model_unavailable',
    retryAfter: CIRCUIT_OPEN_MS / 1000,
  });
}
