import { ageSignals } from './age-signals.ts';
import { blameSignals } from './blame-signals.ts';
import { callSignals } from './call-signals.ts';
import { commitKindSignals } from './commit-kind-signals.ts';
import { diffSignals } from './diff-signals.ts';
import { fileSignals } from './file-signals.ts';
import { fixedLineSignals } from './fixed-line-signals.ts';
import { messageSignals } from './message-signals.ts';
import { survivingLineSignals } from './surviving-line-signals.ts';
import type { SuspectInput, SuspectSignal } from './suspect-signal.ts';
import weights from './suspect-weights.json' with { type: 'json' };

/** All signals by name. */
const SUSPECT_SIGNALS: Record<string, SuspectSignal> = {
  ...messageSignals,
  ...diffSignals,
  ...callSignals,
  ...fileSignals,
  ...survivingLineSignals,
  ...ageSignals,
  ...commitKindSignals,
  ...blameSignals,
  ...fixedLineSignals,
};

/** Signals whose reciprocal rank among the candidates is a signal too: 1 for the first, 1/2 for the second, … */
const RANKED_SIGNALS = ['message', 'bestHunk', 'added', 'survivingTerms'] as const;

/**
 * Computes signals for all candidates, reciprocal ranks as `<name>Rank`: those with a weight in the model `given`, or
 * all of them.
 */
export function measureSuspectSignals(
  input: SuspectInput,
  weightSet?: keyof typeof weights,
): Record<string, ArrayLike<number>> {
  const values: Record<string, ArrayLike<number>> = {};
  const isNeeded = (name: string) =>
    !weightSet || name in weights[weightSet] || `${name}Rank` in weights[weightSet];
  for (const [name, signal] of Object.entries(SUSPECT_SIGNALS))
    if (isNeeded(name)) values[name] = signal(input);
  for (const name of RANKED_SIGNALS) if (values[name]) values[`${name}Rank`] = reciprocalRanks(values[name]);
  return values;
}

/** Weighted sums of signals by `suspect-weights.json`, fitted by `bench/fit/suspects.ts` with and without the fix. */
export function scoreSuspects(
  values: Record<string, ArrayLike<number>>,
  count: number,
  weightSet: keyof typeof weights = 'text',
): Float64Array {
  const sums = new Float64Array(count);
  for (const [name, weight] of Object.entries<number>(weights[weightSet])) {
    const signal = values[name];
    if (signal) for (let i = 0; i < count; i++) sums[i]! += weight * signal[i]!;
  }
  return sums;
}

/** 1 / rank of every value above 0; ties share the better rank. */
function reciprocalRanks(values: ArrayLike<number>): Float64Array {
  const sorted = Array.from(values).sort((a, b) => b - a);
  const ranks = new Map<number, number>();
  sorted.forEach((value, index) => {
    if (!ranks.has(value)) ranks.set(value, index + 1);
  });
  return Float64Array.from(values, (value) => (value > 0 ? 1 / ranks.get(value)! : 0));
}
