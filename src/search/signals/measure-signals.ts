import { changeCount } from './change-count.ts';
import { coChange, coChangeOfTop } from './co-change.ts';
import { coChangeInSimilarCommits } from './co-change-in-similar-commits.ts';
import { coChangeWithTests } from './co-change-with-tests.ts';
import { commitMessages } from './commit-messages.ts';
import { fileSize } from './file-size.ts';
import { folder } from './folder.ts';
import { frames } from './frames.ts';
import { literals } from './literals.ts';
import { manifest } from './manifest.ts';
import { mentionedPaths } from './mentioned-paths.ts';
import { passages, zoneSignal } from './passages.ts';
import { pathWords } from './path-words.ts';
import prior from './prior-file-weights.json' with { type: 'json' };
import { qualifiedNames } from './qualified-names.ts';
import { recency } from './recency.ts';
import type { FirstPass, NeighborSignal, Signal, SignalInput } from './signal.ts';
import { similarCommits } from './similar-commits.ts';
import { symbols } from './symbols.ts';
import { tests } from './tests.ts';
import { wholeFile } from './whole-file.ts';

/**
 * Signals of the file and its history. The order matters: `tests` and `coChangeWithTests` read what `passages` left.
 */
const SIGNALS = {
  passages,
  tests,
  coChangeWithTests,
  wholeFile,
  pathWords,
  symbols,
  qualifiedNames,
  mentionedPaths,
  manifest,
  frames,
  literals,
  title: zoneSignal('title'),
  codeBlocks: zoneSignal('codeBlocks'),
  inlineCode: zoneSignal('inlineCode'),
  prose: zoneSignal('prose'),
  similarCommits,
  commitMessages,
  recency,
  changeCount,
  fileSize,
} satisfies Record<string, Signal>;

/** Signals that propagate the scores of related files. */
const NEIGHBOR_SIGNALS = { folder, coChange, coChangeInSimilarCommits, coChangeOfTop } satisfies Record<
  string,
  NeighborSignal
>;

export type SignalName = keyof typeof SIGNALS | keyof typeof NEIGHBOR_SIGNALS;

/** Signals that depend on the text; the others depend on the file alone. */
export const TEXT_SIGNALS: readonly SignalName[] = (
  [...Object.keys(SIGNALS), ...Object.keys(NEIGHBOR_SIGNALS)] as SignalName[]
).filter((name) => !['recency', 'changeCount', 'fileSize', 'folder', 'coChangeOfTop'].includes(name));

/** Equal weights of the signals whose mean selects the seeds of the neighbor signals. */
const FIRST_PASS_WEIGHTS: Partial<Record<SignalName, number>> = {
  passages: 1 / 6,
  wholeFile: 1 / 6,
  pathWords: 1 / 6,
  symbols: 1 / 6,
  similarCommits: 1 / 6,
  commitMessages: 1 / 6,
};

/**
 * Signals in units of one certain file, scaled down only: a name that ten files share speaks for none of them, although each
 * has the highest value.
 */
const ABSOLUTE_SIGNALS: ReadonlySet<string> = new Set<SignalName>(['frames', 'mentionedPaths']);

/** Signals by name, each a value per file, scaled so that the best candidate has 1 at most. */
export type SignalValues = Record<SignalName, Float32Array>;

/** Computes all signals of all files, scaled by their maximum over the candidates. */
export function measureSignals(input: SignalInput, candidates: readonly number[]): SignalValues {
  const signals: Partial<SignalValues> = {};
  for (const [name, signal] of Object.entries(SIGNALS)) {
    const min = ABSOLUTE_SIGNALS.has(name) ? 1 : 0;
    signals[name as SignalName] = normalizeByMax(signal(input), candidates, min);
  }
  const first = firstPass(signals as SignalValues, candidates);
  for (const [name, signal] of Object.entries(NEIGHBOR_SIGNALS)) {
    signals[name as SignalName] = normalizeByMax(signal(input, first), candidates);
  }
  return signals as SignalValues;
}

/** Files with lower odds are skipped, since each costs a walk over its history. */
const MIN_ODDS = 0.05;

function firstPass(signals: SignalValues, candidates: readonly number[]): FirstPass {
  const rough = weightedSum(signals, candidates, FIRST_PASS_WEIGHTS);
  const sums = weightedSum(signals, candidates, prior);
  const best = candidates.reduce((max, file) => Math.max(max, sums[file]!), 0);
  const odds = new Float32Array(sums.length);
  for (const file of candidates) {
    const relative = Math.exp(sums[file]! - best);
    if (sums[file]! > 0 && relative >= MIN_ODDS) odds[file] = relative;
  }
  return { rough, odds };
}

/** The weighted sum of the signals of every candidate. */
function weightedSum(
  signals: SignalValues,
  candidates: readonly number[],
  weights: Partial<Record<SignalName, number>>,
): Float32Array {
  const sums = new Float32Array(signals.passages.length);
  for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
    const [values, weight] = [signals[name], weights[name] ?? 0];
    if (weight === 0) continue;
    for (const file of candidates) sums[file]! += weight * values[file]!;
  }
  return sums;
}

/** Divides by the maximum over the candidates, or by `min` where that is larger. */
function normalizeByMax(values: Float32Array, candidates: readonly number[], min = 0): Float32Array {
  let max = min;
  for (const file of candidates) max = Math.max(max, values[file]!);
  if (max === 0) return new Float32Array(values.length);
  return values.map((value) => Math.min(1, value / max));
}
