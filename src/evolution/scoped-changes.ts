import type { RepositoryIndex } from '#memory/repository-index.ts';
import { CHANGE_KINDS, type HistoryFacts } from './history-facts.ts';
import { BULK_COMMIT_FILES } from './hotspots.ts';

/** Part of the history: a period in seconds since 1970, `to` exclusive, and a folder or file; an empty path for all. */
export interface HistoryScope {
  from: number;
  to: number;
  path: string;
}

/** Commits of a scope, oldest first and without merges, with the present files that each changed. */
export interface ScopedChanges {
  readonly commits: readonly number[];
  /**
   * Present files in the scope that a commit changed, as path numbers; none for bulk changes, which say nothing about
   * single files.
   */
  files(position: number): readonly number[];
}

/** Selects the commits of a scope. */
export function selectChanges(
  index: RepositoryIndex,
  facts: HistoryFacts,
  scope: HistoryScope,
): ScopedChanges {
  const { commits } = index;
  const { times, kinds, currentPaths } = facts;
  const isInside = selectPaths(facts, scope.path);
  const selected: { commit: number; files: number[] }[] = [];
  for (let commit = commits.count - 1; commit >= 0; commit--) {
    const time = times[commit]!;
    if (!(time >= scope.from && time < scope.to) || kinds[commit] === CHANGE_KINDS.merge) continue;
    const changed = commits.paths(commit);
    if (scope.path !== '' && !changed.some((path) => isInside[path] === 1)) continue;
    const files = new Set<number>();
    if (changed.length + commits.omittedChanges(commit) <= BULK_COMMIT_FILES) {
      for (const path of changed) {
        const current = currentPaths[path]!;
        if (current >= 0 && isInside[current] === 1) files.add(current);
      }
    }
    selected.push({ commit, files: [...files] });
  }
  selected.sort((a, b) => times[a.commit]! - times[b.commit]!);
  return {
    commits: selected.map(({ commit }) => commit),
    files: (position) => selected[position]!.files,
  };
}

/** Path number → 1 for paths that are, or lie below, `path`. */
export function selectPaths({ paths }: HistoryFacts, path: string): Uint8Array {
  if (path === '') return new Uint8Array(paths.length).fill(1);
  return Uint8Array.from(paths, (name) => (name === path || name.startsWith(`${path}/`) ? 1 : 0));
}
