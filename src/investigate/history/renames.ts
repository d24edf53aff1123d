import type { CommitTable } from '#memory/repository-index.ts';

/** Former paths of current files. */
export interface RenameHistory {
  /** The current path of a former one; the path itself when it was not renamed. */
  currentPath(path: string): string;
  /** A path and its former paths, newest first. */
  allPaths(path: string): string[];
}

/** Successive renames of a file that are followed. */
const MAX_RENAMES = 3;

/** Follows the renames of files back through the indexed commits. */
export function followRenames(paths: string[], commits: CommitTable): RenameHistory {
  const current = new Map(paths.map((path) => [path, path]));
  let names = paths;
  for (let round = 0; round < MAX_RENAMES && names.length > 0; round++) {
    const found: string[] = [];
    for (const name of names) {
      const from = renamedFrom(name, commits);
      if (from === null || current.has(from)) continue;
      current.set(from, current.get(name)!);
      found.push(from);
    }
    names = found;
  }
  return {
    currentPath: (path) => current.get(path) ?? path,
    // A path that was not followed stands for itself.
    allPaths: (path) =>
      current.has(path) ? [...current].filter(([, newest]) => newest === path).map(([name]) => name) : [path],
  };
}

/** Path before the rename in the oldest commit that touched this path; null when that commit added the file. */
function renamedFrom(name: string, commits: CommitTable): string | null {
  const path = commits.pathNumber(name);
  const first = path < 0 ? undefined : commits.touching(path).at(-1);
  if (first === undefined) return null;
  const at = commits.paths(first).indexOf(path);
  return commits.statuses(first)[at] === 'R' ? commits.path(commits.oldPaths(first)[at]!) : null;
}
