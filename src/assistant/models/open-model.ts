import { AppError } from '#contract/errors.ts';
import { NoReply } from '#egress/fetch-from.ts';
import { converse, type Known } from './converse.ts';
import { modelFailure, unwrap } from './failure.ts';
import type { Model, ModelSettings, Prompt, WriteOptions } from './port.ts';
import { PATIENCE, type Patience } from './provider.ts';

/** So many failures in a row open the breaker, which then fails at once for so long. */
const BREAKS_AFTER = 5;
const BROKEN_MS = 30_000;
/** How much longer than one call an answer with tools may take. */
const WITH_TOOLS = 3;

/**
 * The model that the operator named. An attempt that fails before its first word is made again, at most twice and
 * only where that can help; five failures in a row rest the model for 30 seconds.
 */
export function openModel(settings: ModelSettings, patience: Patience = PATIENCE): Model {
  let failures = 0;
  let restsUntil = 0;
  const known: Known = { toolless: false, formless: false };
  const name = `${settings.provider}:${settings.name}`;

  async function* write(prompt: Prompt, { signal, ...options }: WriteOptions = {}) {
    if (performance.now() < restsUntil) throw resting();
    const total = AbortSignal.timeout(patience.totalMs * (options.tools ? WITH_TOOLS : 1));
    const either = signal ? AbortSignal.any([signal, total]) : total;
    try {
      yield* converse(settings, prompt, known, { ...options, patience, signal: either });
      failures = 0;
    } catch (error) {
      if (signal?.aborted)
        throw new AppError('unavailable', 'The request was stopped.', { reason: 'stopped' });
      failures += 1;
      if (failures >= BREAKS_AFTER) restsUntil = performance.now() + BROKEN_MS;
      throw modelFailure(total.aborted ? new NoReply('timed_out', error) : unwrap(error));
    }
  }

  return { name, write };
}

function resting(): AppError {
  return new AppError('unavailable', 'The language model has failed several times. Try again in a minute.', {
    reason: 'model_resting',
    retryAfter: BROKEN_MS / 1000,
  });
}
