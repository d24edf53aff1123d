import type { LogCommit } from '#git/log.ts';
import type { HistoryCommits } from './definition-history.ts';

type HistoryTable = HistoryCommits & { readonly count: number };

/** Collects a log, newest first, for histories of a repository without an index. */
export async function collectCommits(commits: AsyncIterable<LogCommit>): Promise<HistoryTable> {
  const oids: string[] = [];
  const paths: string[] = [];
  const numbers = new Map<string, number>();
  const touching = new Map<number, number[]>();
  const changed: { paths: Uint32Array; oldPaths: Uint32Array }[] = [];
  const numberOf = (path: string) => {
    const number = numbers.get(path) ?? paths.push(path) - 1;
    numbers.set(path, number);
    return number;
  };
  for await (const { oid, changes } of commits) {
    const commit = oids.push(oid) - 1;
    const current = Uint32Array.from(changes, ({ path }) => numberOf(path));
    const oldPaths = Uint32Array.from(changes, ({ path, oldPath }) => numberOf(oldPath ?? path));
    changed.push({ paths: current, oldPaths });
    for (const path of new Set(current)) {
      const known = touching.get(path);
      if (known) known.push(commit);
      else touching.set(path, [commit]);
    }
  }
  return {
    count: oids.length,
    oid: (commit) => oids[commit]!,
    paths: (commit) => changed[commit]!.paths,
    oldPaths: (commit) => changed[commit]!.oldPaths,
    path: (path) => paths[path]!,
    pathNumber: (path) => numbers.get(path) ?? -1,
    touching: (path) => Uint32Array.from(touching.get(path) ?? []),
  };
}
