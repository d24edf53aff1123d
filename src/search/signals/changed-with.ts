import type { SignalInput } from './signal.ts';

/** Files beyond which a commit says little of what belongs together. */
const MOST_FILES = 30;

/** Changes that every file is taken to have had besides: what changed once with another is not bound to it. */
const DOUBT = 3;

/**
 * How often each file changed together with some others, which count by their seeds:
 *
 *     value(f) = √( Σ over commits of f, with n files, and the others g in it of
 *                     seed(g) / (changes(g) + 3) / √(n - 1)   / √(changes(f) + 3) )
 *
 * One walk over the history, whatever the seeds.
 */
export function changedWith(
  { code, history }: Pick<SignalInput, 'code' | 'history'>,
  seeds: Float32Array,
): Float32Array {
  const { starts, files } = history;
  const changes = new Float32Array(code.fileCount);
  for (const file of files) changes[file]!++;
  const shares = seeds.map((seed, file) => seed / (changes[file]! + DOUBT));
  const values = new Float32Array(code.fileCount);
  for (let commit = 0; commit + 1 < starts.length; commit++) {
    const [start, end] = [starts[commit]!, starts[commit + 1]!];
    if (end - start < 2 || end - start > MOST_FILES) continue;
    let sum = 0;
    for (let at = start; at < end; at++) sum += shares[files[at]!]!;
    if (sum === 0) continue;
    const weight = 1 / Math.sqrt(end - start - 1);
    for (let at = start; at < end; at++) {
      const file = files[at]!;
      values[file]! += weight * Math.max(0, sum - shares[file]!);
    }
  }
  return values.map((value, file) => Math.sqrt(value / Math.sqrt(changes[file]! + DOUBT)));
}
