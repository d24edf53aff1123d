import type { Measured, SignalName } from './signals.ts';

/** What is weighed: measured signals, of a text of some length, for the files among which the best is sought. */
export interface FeatureInput {
  readonly measured: Measured;
  /** Characters of the text. */
  readonly length: number;
  readonly candidates: readonly number[];
}

/** Places after which the place no longer counts. */
const LAST_PLACE = 50;

/** Lengths of a text between which it turns from short to long. */
const [SHORT, LONG] = [100, 2000];

/**
 * A feature of every file by its name:
 *
 *   feature = factor ["*" factor]
 *   factor  = signal            from 0 to 1
 *           | "1/" signal       one divided by the file's place by this signal, 0 from place 51 on
 *           | "long"            0 for a text of one line, 1 for a long report
 */
export function featureOf(name: string, input: FeatureInput): Float32Array {
  const [first = '', second] = name.split('*');
  const values = factorOf(first, input);
  if (second === undefined) return values;
  const others = factorOf(second, input);
  return values.map((value, file) => value * others[file]!);
}

function factorOf(name: string, { measured, length, candidates }: FeatureInput): Float32Array {
  if (name === 'long') return measured.passages.map(() => lengthOf(length));
  if (!name.startsWith('1/')) return measured[name as SignalName];
  return byPlace(measured[name.slice(2) as SignalName], candidates);
}

/** 0 to 1 by the logarithm of a text's length. */
function lengthOf(characters: number): number {
  return Math.min(1, Math.max(0, Math.log(characters / SHORT) / Math.log(LONG / SHORT)));
}

/** Equal values share the better place. */
function byPlace(values: Float32Array, candidates: readonly number[]): Float32Array {
  const sorted = Float32Array.from(candidates, (file) => values[file]!).sort();
  const best = sorted.subarray(-LAST_PLACE).reverse();
  const least = best.at(-1) ?? 0;
  return values.map((value) => {
    if (value === 0 || value < least) return 0;
    let place = 1;
    while (place <= best.length && best[place - 1]! > value) place++;
    return 1 / place;
  });
}
