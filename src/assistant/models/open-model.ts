import { AppError } from '#contract/errors.ts';
import { FetchFailure } from '#egress/origin-fetch.ts';
import { toModelError, unwrapError } from './model-errors.ts';
import type { Model, ModelSettings, Prompt, WriteOptions } from './port.ts';
import { TIMEOUTS, type Timeouts } from './provider.ts';
import { type ModelCapabilities, runToolLoop } from './tool-loop.ts';

/** So many failures in a row open the breaker, which then fails at once for so long. */
const FAILURE_THRESHOLD = 5;
const CIRCUIT_OPEN_MS = 30_000;
/** How much longer than one call an answer with tools may take. */
const TOOL_TIMEOUT_FACTOR = 3;

/**
 * The model that the operator named. An attempt that fails before its first word is made again, at most twice and
 * only where that can help; five failures in a row rest the model for 30 seconds.
 */
export function openModel(settings: ModelSettings, timeouts: Timeouts = TIMEOUTS): Model {
  let failures = 0;
  let circuitOpenUntil = 0;
  const known: ModelCapabilities = { toolless: false, formless: false };
  const name = `${settings.provider}:${settings.name}`;

  async function* write(prompt: Prompt, { signal, ...options }: WriteOptions = {}) {
    if (performance.now() < circuitOpenUntil) throw circuitOpenError();
    const total = AbortSignal.timeout(timeouts.totalMs * (options.tools ? TOOL_TIMEOUT_FACTOR : 1));
    const either = signal ? AbortSignal.any([signal, total]) : total;
    try {
      yield* runToolLoop(settings, prompt, known, { ...options, patience: timeouts, signal: either });
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
