import type { CommitTable } from '#memory/repository-index.ts';

/** Names under which files of today lay before. */
export interface RenameHistory {
  /** Today's name of a path; the path itself when it never was another file's name. */
  currentPath(path: string): string;
  /** A path and its former names, newest first. */
  allPaths(path: string): string[];
}

/** Renames of renames that are followed. */
const MAX_RENAMES = 3;

/** Finds the former names of files by the renames that the commits remember. */
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
    allPaths: (path) => [...current].filter(([, today]) => today === path).map(([name]) => name),
  };
}

/** A file gets its name in the oldest commit that touched it under that name. */
function renamedFrom(name: string, commits: CommitTable): string | null {
  const path = commits.pathNumber(name);
  const first = path < 0 ? undefined : commits.touching(path).at(-1);
  if (first === undefined) return null;
  const at = commits.paths(first).indexOf(path);
  return commits.statuses(first)[at] === 'R' ? commits.path(commits.oldPaths(first)[at]!) : null;
}
