import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isCodePath } from './code-paths.ts';
import { isFix, isNonSource, revertedCommits } from './fixes.ts';

/** Kinds of commits, as numbers of `HistoryFacts.kinds`. */
export const CHANGE_KINDS = { change: 0, fix: 1, revert: 2, merge: 3 } as const;

/** Facts about all commits and paths of an index that every analysis of the history reads. */
export interface HistoryFacts {
  /** Author time of each commit in seconds since 1970; NaN for a broken date. */
  readonly times: Float64Array;
  readonly kinds: Uint8Array;
  /** Names of all paths that ever changed. */
  readonly paths: readonly string[];
  /** Path → 1 for code, 0 for tests, documentation, data and configuration. */
  readonly isCode: Uint8Array;
  /** Path → the path that it has today, following renames; -1 when it was deleted. */
  readonly currentPaths: Int32Array;
}

/** Reads the facts of an index; computed once for each thread and generation. */
export const readHistoryFacts = memoizeByIdentity((index: RepositoryIndex): HistoryFacts => {
  const { commits } = index;
  const paths = Array.from({ length: commits.pathCount }, (_, path) => commits.path(path));
  const isSource = Uint8Array.from(paths, (path) => (isNonSource(path) ? 0 : 1));
  return {
    times: Float64Array.from({ length: commits.count }, (_, commit) => commits.time(commit)),
    kinds: Uint8Array.from({ length: commits.count }, (_, commit) => kindOf(index, commit, isSource)),
    paths,
    isCode: Uint8Array.from(paths, (path) => (isCodePath(path) ? 1 : 0)),
    currentPaths: followRenamesToHead(index, paths),
  };
});

function kindOf({ commits }: RepositoryIndex, commit: number, isSource: Uint8Array): number {
  if (commits.parents(commit).length > 1) return CHANGE_KINDS.merge;
  const message = commits.message(commit);
  if (revertedCommits(message).length > 0) return CHANGE_KINDS.revert;
  if (!isFix(message, [])) return CHANGE_KINDS.change;
  const changed = commits.paths(commit);
  return changed.length === 0 || changed.some((path) => isSource[path] === 1)
    ? CHANGE_KINDS.fix
    : CHANGE_KINDS.change;
}

/** Maps every path to its present name. Commits are numbered from the newest, so a rename's new name is mapped first. */
function followRenamesToHead({ commits, code }: RepositoryIndex, paths: readonly string[]): Int32Array {
  const current = Int32Array.from(paths, (path, number) =>
    code === null || code.fileNumber(path) >= 0 ? number : -1,
  );
  for (let commit = 0; commit < commits.count; commit++) {
    const statuses = commits.statuses(commit);
    if (!statuses.includes('R')) continue;
    const [renamed, old] = [commits.paths(commit), commits.oldPaths(commit)];
    for (let i = 0; i < renamed.length; i++) {
      if (statuses[i] === 'R' && current[old[i]!] === -1) current[old[i]!] = current[renamed[i]!]!;
    }
  }
  return current;
}
