import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { FileHistory } from '../lexical/workspace.ts';
import type { SignalInput } from './signal.ts';

/** Commits of more files say little about which files belong together. */
export const MAX_CO_CHANGED_FILES = 30;

/** Added to every file's number of changes, so that a single common commit is weak evidence. */
const PSEUDO_COUNT = 3;

/** Lower seeds are skipped: even thousands of them change nothing, but each costs a walk over its commits. */
const MIN_SEED = 0.001;

/**
 * Co-change of each file with the seed files, whose weights are 0 to 1:
 *
 *     value(f) = √( Σ over commits of f, with n files, and the others g in it of
 *                     seed(g) / (changes(g) + 3) / √(n - 1)   / √(changes(f) + 3) )
 *
 * Walks only the commits of files with a seed.
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
      if (end - start < 2 || end - start > MAX_CO_CHANGED_FILES) continue;
      const weight = share / Math.sqrt(end - start - 1);
      for (let at = start; at < end; at++) if (files[at] !== seed) values[files[at]!]! += weight;
    }
  }
  return values.map((value, file) => Math.sqrt(value / Math.sqrt(changes(file) + PSEUDO_COUNT)));
}

/** The commits of file f: commits[first[f]] up to, not including, commits[first[f + 1]]. */
interface CommitsByFile {
  first: Uint32Array;
  commits: Uint32Array;
}

/** Inverts the history, from files by commit to commits by file. */
const commitsByFile = memoizeByIdentity(({ starts, files, messageLengths }: FileHistory): CommitsByFile => {
  const fileCount = messageLengths.length;
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
