import { frames } from './signals/frames.ts';
import { kind } from './signals/kind.ts';
import { likeness } from './signals/likeness.ts';
import { literals } from './signals/literals.ts';
import { mentioned } from './signals/mentioned.ts';
import { passages, viewSignal } from './signals/passages.ts';
import { pathWords } from './signals/path-words.ts';
import { recency } from './signals/recency.ts';
import type { Signal, SignalInput } from './signals/signal.ts';
import { story } from './signals/story.ts';
import { symbols } from './signals/symbols.ts';
import { wholeFile } from './signals/whole-file.ts';
import weights from './weights.json' with { type: 'json' };

export type SignalName = keyof typeof weights;

const SIGNALS: Record<SignalName, Signal> = {
  passages,
  wholeFile,
  pathWords,
  symbols,
  mentioned,
  frames,
  literals,
  title: viewSignal('title'),
  blocks: viewSignal('blocks'),
  quoted: viewSignal('quoted'),
  prose: viewSignal('prose'),
  likeness,
  story,
  recency,
  kind,
};

/** Every file's values from 0 to 1, a signal each, and their weighted sum. */
export interface FusedSignals {
  readonly values: Record<SignalName, Float32Array>;
  readonly scores: Float32Array;
}

/**
 * Measures all signals, divides each by its maximum for this query and adds them up by `weights.json`. The
 * weights were set by hand, coarsely, on fixes of public repositories; a fit on more of them is to replace them.
 */
export function fuse(input: SignalInput): FusedSignals {
  const scores = new Float32Array(input.code.fileCount);
  const measured = (Object.keys(SIGNALS) as SignalName[]).map((name): [SignalName, Float32Array] => {
    const values = toUnit(SIGNALS[name](input));
    for (let file = 0; file < scores.length; file++) scores[file]! += weights[name] * values[file]!;
    return [name, values];
  });
  return { values: Object.fromEntries(measured) as Record<SignalName, Float32Array>, scores };
}

function toUnit(values: Float32Array): Float32Array {
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  return most === 0 ? values : values.map((value) => value / most);
}
