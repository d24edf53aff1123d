import { changes } from './change-count.ts';
import { company, likelyCompany } from './co-change.ts';
import { likeCompany } from './co-change-in-similar-commits.ts';
import { testCompany } from './co-change-with-tests.ts';
import { story } from './commit-messages.ts';
import { size } from './file-size.ts';
import { folder } from './folder.ts';
import { frames } from './frames.ts';
import { literals } from './literals.ts';
import { manifest } from './manifest.ts';
import { mentioned } from './mentioned-paths.ts';
import { passages, viewSignal } from './passages.ts';
import { pathWords } from './path-words.ts';
import prior from './prior-file-weights.json' with { type: 'json' };
import { qualified } from './qualified-names.ts';
import { recency } from './recency.ts';
import type { FirstRound, NeighbourSignal, Signal, SignalInput } from './signal.ts';
import { likeness } from './similar-commits.ts';
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
  testCompany,
  wholeFile,
  pathWords,
  symbols,
  qualified,
  mentioned,
  manifest,
  frames,
  literals,
  title: viewSignal('title'),
  blocks: viewSignal('blocks'),
  quoted: viewSignal('quoted'),
  prose: viewSignal('prose'),
  likeness,
  story,
  recency,
  changes,
  size,
} satisfies Record<string, Signal>;

/** Reasons that lie in other files which fit. */
const NEIGHBOUR_SIGNALS = { folder, company, likeCompany, likelyCompany } satisfies Record<
  string,
  NeighbourSignal
>;

export type SignalName = keyof typeof SIGNALS | keyof typeof NEIGHBOUR_SIGNALS;

/** Signals that say something of the text; the others only of the file. */
export const ABOUT_THE_TEXT: readonly SignalName[] = (
  [...Object.keys(SIGNALS), ...Object.keys(NEIGHBOUR_SIGNALS)] as SignalName[]
).filter((name) => !['recency', 'changes', 'size', 'folder', 'likelyCompany'].includes(name));

/** What says roughly where to look, all of it alike; the neighbours of what these find are looked at next. */
const ROUGHLY: Partial<Record<SignalName, number>> = {
  passages: 1 / 6,
  wholeFile: 1 / 6,
  pathWords: 1 / 6,
  symbols: 1 / 6,
  likeness: 1 / 6,
  story: 1 / 6,
};

/** All signals of every file, each divided by its maximum over the candidates, at most 1. */
export type Measured = Record<SignalName, Float32Array>;

/** Measures every signal of every file; `candidates` are the files among which the best is sought. */
export function measure(input: SignalInput, candidates: readonly number[]): Measured {
  const measured: Partial<Measured> = {};
  for (const [name, signal] of Object.entries(SIGNALS)) {
    measured[name as SignalName] = toUnit(signal(input), candidates);
  }
  const first = firstRound(measured as Measured, candidates);
  for (const [name, signal] of Object.entries(NEIGHBOUR_SIGNALS)) {
    measured[name as SignalName] = toUnit(signal(input, first), candidates);
  }
  return measured as Measured;
}

/** Odds below this are passed over, since each file costs a walk over its history. */
const LEAST_LIKELY = 0.05;

function firstRound(measured: Measured, candidates: readonly number[]): FirstRound {
  const rough = addUp(measured, candidates, ROUGHLY);
  const sums = addUp(measured, candidates, prior);
  const best = candidates.reduce((most, file) => Math.max(most, sums[file]!), 0);
  const odds = new Float32Array(sums.length);
  for (const file of candidates) {
    const likely = Math.exp(sums[file]! - best);
    if (sums[file]! > 0 && likely >= LEAST_LIKELY) odds[file] = likely;
  }
  return { rough, odds };
}

/** The weighted sum of the signals of every candidate. */
function addUp(
  measured: Measured,
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

function toUnit(values: Float32Array, candidates: readonly number[]): Float32Array {
  let most = 0;
  for (const file of candidates) most = Math.max(most, values[file]!);
  if (most === 0) return new Float32Array(values.length);
  return values.map((value) => Math.min(1, value / most));
}
