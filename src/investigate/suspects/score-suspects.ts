import * as time from './signals/age-signals.ts';
import * as blame from './signals/blame-signals.ts';
import * as calls from './signals/call-signals.ts';
import * as nature from './signals/commit-kind-signals.ts';
import * as change from './signals/diff-signals.ts';
import * as files from './signals/file-signals.ts';
import * as mended from './signals/fixed-line-signals.ts';
import * as message from './signals/message-signals.ts';
import * as standing from './signals/surviving-line-signals.ts';
import type { SuspectInput, SuspectSignal } from './suspect-signal.ts';
import weights from './suspect-weights.json' with { type: 'json' };

/** Every signal by its name, in the order of the fitting tables. */
export const SUSPECT_SIGNALS: Record<string, SuspectSignal> = {
  ...message,
  ...change,
  ...calls,
  ...files,
  ...standing,
  ...time,
  ...nature,
  ...blame,
  ...mended,
};

/** Signals whose order among the candidates counts too: 1 for the first, 1/2 for the second, … */
const RANKED_SIGNALS = ['message', 'hunk', 'added', 'keptWords'] as const;

/**
 * The values of signals for all candidates, the reciprocal ranks as `<name>Rank`: those that the weights of `given` ask
 * for, or all of them.
 */
export function measureSuspectSignals(
  input: SuspectInput,
  given?: keyof typeof weights,
): Record<string, ArrayLike<number>> {
  const values: Record<string, ArrayLike<number>> = {};
  const isAsked = (name: string) => !given || name in weights[given] || `${name}Rank` in weights[given];
  for (const [name, signal] of Object.entries(SUSPECT_SIGNALS)) if (isAsked(name)) values[name] = signal(input);
  for (const name of RANKED_SIGNALS) if (values[name]) values[`${name}Rank`] = reciprocalRanks(values[name]);
  return values;
}

/** The weighted sum of signals by `suspect-weights.json`: fitted with and without the fix, see `bench/fit/suspects.ts`. */
export function scoreSuspects(
  values: Record<string, ArrayLike<number>>,
  count: number,
  given: keyof typeof weights = 'text',
): Float64Array {
  const sums = new Float64Array(count);
  for (const [name, weight] of Object.entries<number>(weights[given])) {
    const signal = values[name];
    if (signal) for (let i = 0; i < count; i++) sums[i]! += weight * signal[i]!;
  }
  return sums;
}

/** 1 / rank of every value above 0; equal values share the better rank. */
function reciprocalRanks(values: ArrayLike<number>): Float64Array {
  const sorted = Array.from(values).sort((a, b) => b - a);
  const ranks = new Map<number, number>();
  sorted.forEach((value, index) => {
    if (!ranks.has(value)) ranks.set(value, index + 1);
  });
  return Float64Array.from(values, (value) => (value > 0 ? 1 / ranks.get(value)! : 0));
}
