import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import { NoReply } from '#egress/fetch-from.ts';
import { mayPass, modelFailure, retryAfter, unwrap } from './failure.ts';
import type { Model, ModelSettings, Prompt } from './port.ts';
import { ask, PATIENCE, type Patience } from './provider.ts';

const RETRIES = 2;
const LONGEST_WAIT_S = 10;
/** So many failures in a row open the breaker, which then fails at once for so long. */
const BREAKS_AFTER = 5;
const BROKEN_MS = 30_000;

/**
 * The model that the operator named. An attempt that fails before its first word is made again, at most twice and
 * only where that can help; five failures in a row rest the model for 30 seconds.
 */
export function openModel(settings: ModelSettings, patience: Patience = PATIENCE): Model {
  let failures = 0;
  let restsUntil = 0;
  const name = `${settings.provider}:${settings.name}`;

  async function* write(prompt: Prompt, { signal }: { signal?: AbortSignal } = {}) {
    if (performance.now() < restsUntil) throw resting();
    const total = AbortSignal.timeout(patience.totalMs);
    const either = signal ? AbortSignal.any([signal, total]) : total;
    try {
      yield* withRetries(settings, prompt, { patience, signal: either });
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

async function* withRetries(
  settings: ModelSettings,
  prompt: Prompt,
  options: { patience: Patience; signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  for (let attempt = 0; ; attempt++) {
    let began = false;
    try {
      for await (const text of ask(settings, prompt, options)) {
        began = true;
        yield text;
      }
      return;
    } catch (thrown) {
      const error = unwrap(thrown);
      const wait = retryAfter(error) ?? 2 ** attempt * (0.25 + Math.random() / 4);
      if (began || attempt === RETRIES || !mayPass(error) || wait > LONGEST_WAIT_S) throw error;
      await sleep(wait * 1000, undefined, { signal: options.signal });
    }
  }
}

function resting(): AppError {
  return new AppError('unavailable', 'The language model has failed several times. Try again in a minute.', {
    reason: 'model_resting',
    retryAfter: BROKEN_MS / 1000,
  });
}
