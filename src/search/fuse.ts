import { isBesideTheCode } from '#evolution/fixes.ts';
import type { SignalInput } from './signals/signal.ts';
import { type Measured, measure, type SignalName } from './signals.ts';
import weights from './weights.json' with { type: 'json' };

/** What a file loses for being a test, documentation or an example: they talk of faults but seldom hold them. */
const BESIDE_THE_CODE = 1;

/** Every file's signals and their weighted sum. */
export interface FusedSignals {
  readonly measured: Measured;
  readonly scores: Float32Array;
}

/**
 * Measures all signals and adds them up by `weights.json`, which `bench/fit/locate.ts` fits on fixes of public
 * repositories. `among` are the files that may be meant: those of the program when nothing is said.
 */
export function fuse(input: SignalInput, among?: readonly number[]): FusedSignals {
  const { code } = input;
  const files = Array.from({ length: code.fileCount }, (_, file) => file);
  const beside = among ? [] : files.filter((file) => isBesideTheCode(code.filePath(file)));
  const candidates = among ?? files.filter((file) => !isBesideTheCode(code.filePath(file)));
  const measured = measure(input, candidates);
  const scores = new Float32Array(code.fileCount);
  for (const [name, weight] of Object.entries(weights) as [SignalName, number][]) {
    const values = measured[name];
    for (let file = 0; file < scores.length; file++) scores[file]! += weight * values[file]!;
  }
  for (const file of beside) scores[file]! -= BESIDE_THE_CODE;
  return { measured, scores };
}
