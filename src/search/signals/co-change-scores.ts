import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { FileHistory } from '../workspace.ts';
import type { SignalInput } from './signal.ts';

/** Files beyond which a commit says little of what belongs together. */
export const MAX_FILES_PER_COMMIT = 30;

/** Changes that every file is taken to have had besides: what changed once with another is not bound to it. */
const PSEUDO_COUNT = 3;

/** Seeds below this are passed over: thousands of them together move nothing, but each costs a walk. */
const MIN_SEED = 0.001;

/**
 * How often each file changed together with some others, which count by their seeds, 0 to 1:
 *
 *     value(f) = √( Σ over commits of f, with n files, and the others g in it of
 *                     seed(g) / (changes(g) + 3) / √(n - 1)   / √(changes(f) + 3) )
 *
 * Walks over the commits of those that have a seed, not over the history.
 */
export function coChangeScores(
  { code, history }: Pick<SignalInput, 'code' | 'history'>,
  seeds: Float32Array,
): Float32Array {
  const { starts, files } = history;
  const { first, commits } = commitsByFile(history);
  const changes = (file: number) => first[file + 1]! - first[file]!;
  const values = new Float32Array(code.fileCount);
  for (let seed = 0; seed < seeds.length; seed++) {
    if (seeds[seed]! < MIN_SEED) continue;
    const share = seeds[seed]! / (changes(seed) + PSEUDO_COUNT);
    for (let i = first[seed]!; i < first[seed + 1]!; i++) {
      const commit = commits[i]!;
      const [start, end] = [starts[commit]!, starts[commit + 1]!];
      if (end - start < 2 || end - start > MAX_FILES_PER_COMMIT) continue;
      const worth = share / Math.sqrt(end - start - 1);
      for (let at = start; at < end; at++) if (files[at] !== seed) values[files[at]!]! += worth;
    }
  }
  return values.map((value, file) => Math.sqrt(value / Math.sqrt(changes(file) + PSEUDO_COUNT)));
}

/** Commits of file f: commits[first[f]] up to, without, commits[first[f + 1]]. */
interface CommitsByFile {
  first: Uint32Array;
  commits: Uint32Array;
}

/** The history the other way round. */
const commitsByFile = memoizeByIdentity(({ starts, files, messageLengths: storyLengths }: FileHistory): CommitsByFile => {
  const fileCount = storyLengths.length;
  const first = new Uint32Array(fileCount + 1);
  for (const file of files) first[file + 1]!++;
  for (let file = 0; file < fileCount; file++) first[file + 1]! += first[file]!;
  const next = first.slice();
  const commits = new Uint32Array(files.length);
  for (let commit = 0; commit + 1 < starts.length; commit++) {
    for (let at = starts[commit]!; at < starts[commit + 1]!; at++) commits[next[files[at]!]!++] = commit;
  }
  return { first, commits };
});
