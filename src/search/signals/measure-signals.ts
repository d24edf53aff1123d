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
 * Reasons that lie in the file and its history. `tests` and `testCompany` read what `passages` left: their order
 * counts.
 */
const SIGNALS = {
  passages,
  tests,
  testCompany: coChangeWithTests,
  wholeFile,
  pathWords,
  symbols,
  qualified: qualifiedNames,
  mentioned: mentionedPaths,
  manifest,
  frames,
  literals,
  title: zoneSignal('title'),
  blocks: zoneSignal('blocks'),
  quoted: zoneSignal('quoted'),
  prose: zoneSignal('prose'),
  likeness: similarCommits,
  story: commitMessages,
  recency,
  changes: changeCount,
  size: fileSize,
} satisfies Record<string, Signal>;

/** Reasons that lie in other files which fit. */
const NEIGHBOR_SIGNALS = { folder, company: coChange, likeCompany: coChangeInSimilarCommits, likelyCompany: coChangeOfTop } satisfies Record<
  string,
  NeighborSignal
>;

export type SignalName = keyof typeof SIGNALS | keyof typeof NEIGHBOR_SIGNALS;

/** Signals that say something of the text; the others only of the file. */
export const TEXT_SIGNALS: readonly SignalName[] = (
  [...Object.keys(SIGNALS), ...Object.keys(NEIGHBOR_SIGNALS)] as SignalName[]
).filter((name) => !['recency', 'changes', 'size', 'folder', 'likelyCompany'].includes(name));

/** What says roughly where to look, all of it alike; the neighbours of what these find are looked at next. */
const FIRST_PASS_WEIGHTS: Partial<Record<SignalName, number>> = {
  passages: 1 / 6,
  wholeFile: 1 / 6,
  pathWords: 1 / 6,
  symbols: 1 / 6,
  likeness: 1 / 6,
  story: 1 / 6,
};

/** All signals of every file, each divided by its maximum over the candidates, at most 1. */
export type SignalValues = Record<SignalName, Float32Array>;

/** Measures every signal of every file; `candidates` are the files among which the best is sought. */
export function measureSignals(input: SignalInput, candidates: readonly number[]): SignalValues {
  const measured: Partial<SignalValues> = {};
  for (const [name, signal] of Object.entries(SIGNALS)) {
    measured[name as SignalName] = normalizeByMax(signal(input), candidates);
  }
  const first = firstPass(measured as SignalValues, candidates);
  for (const [name, signal] of Object.entries(NEIGHBOR_SIGNALS)) {
    measured[name as SignalName] = normalizeByMax(signal(input, first), candidates);
  }
  return measured as SignalValues;
}

/** Odds below this are passed over, since each file costs a walk over its history. */
const MIN_ODDS = 0.05;

function firstPass(measured: SignalValues, candidates: readonly number[]): FirstPass {
  const rough = weightedSum(measured, candidates, FIRST_PASS_WEIGHTS);
  const sums = weightedSum(measured, candidates, prior);
  const best = candidates.reduce((most, file) => Math.max(most, sums[file]!), 0);
  const odds = new Float32Array(sums.length);
  for (const file of candidates) {
    const likely = Math.exp(sums[file]! - best);
    if (sums[file]! > 0 && likely >= MIN_ODDS) odds[file] = likely;
  }
  return { rough, odds };
}

/** The weighted sum of the signals of every candidate. */
function weightedSum(
  measured: SignalValues,
  candidates: readonly number[],
  weights: Partial<Record<SignalName, number>>,
): Float32Array {
  const sums = new Float32Array(measured.passages.length);
  for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
    const [values, weight] = [measured[name], weights[name] ?? 0];
    if (weight === 0) continue;
    for (const file of candidates) sums[file]! += weight * values[file]!;
  }
  return sums;
}

function normalizeByMax(values: Float32Array, candidates: readonly number[]): Float32Array {
  let most = 0;
  for (const file of candidates) most = Math.max(most, values[file]!);
  if (most === 0) return new Float32Array(values.length);
  return values.map((value) => Math.min(1, value / most));
}
