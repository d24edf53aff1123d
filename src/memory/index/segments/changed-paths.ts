import { lowerBound } from '../../bytes/binary-search.ts';
import { valuesOf } from '../../bytes/groups.ts';
import type { CommitTable } from '../../repository-index.ts';
import type { CommitSegment } from './commit-segment.ts';
import type { CommitLocation } from './commit-table.ts';

type ChangedPaths = Pick<
  CommitTable,
  'paths' | 'oldPaths' | 'statuses' | 'omittedChanges' | 'pathCount' | 'path' | 'pathNumber' | 'touching'
>;

/**
 * Opens the changed paths of commits over all segments. `docMap` maps commits, numbered consecutively from the `bases`
 * of their segments, to visible ones, -1 for hidden ones; null when they are the same.
 */
export function openChangedPaths(
  segments: readonly CommitSegment[],
  bases: Uint32Array,
  locate: (commit: number) => CommitLocation,
  docMap: Int32Array | null,
): ChangedPaths {
  const paths = mergePaths(segments);
  const mapPaths = (i: number, local: Uint32Array) => {
    const pathMap = paths.pathMaps[i]!;
    return pathMap === null ? local : local.map((path) => pathMap[path]!);
  };
  const touching = (path: number) => {
    if (docMap === null) return valuesOf(segments[0]!.touching, path);
    const text = paths.get(path);
    const commits = segments.flatMap((segment, i) => {
      const local = segment.paths.find(text);
      if (local === -1) return [];
      return Array.from(valuesOf(segment.touching, local), (commit) => docMap[bases[i]! + commit]!);
    });
    return Uint32Array.from(commits.filter((commit) => commit >= 0)).sort();
  };
  return {
    paths: (commit) => {
      const { segment, local, i } = locate(commit);
      return mapPaths(i, valuesOf(segment.changes, local));
    },
    oldPaths: (commit) => {
      const { segment, local, i } = locate(commit);
      return mapPaths(i, valuesOf(segment.oldPaths, local));
    },
    statuses: (commit) => {
      const { segment, local } = locate(commit);
      const { starts } = segment.changes;
      return segment.statuses.toString('latin1', starts[local], starts[local + 1]);
    },
    omittedChanges: (commit) => {
      const { segment, local } = locate(commit);
      const { commits, counts } = segment.omitted;
      const at = lowerBound(commits, local);
      return commits[at] === local ? counts[at]! : 0;
    },
    pathCount: paths.count,
    path: paths.get,
    pathNumber: paths.find,
    touching,
  };
}

/** Numbers the paths of all segments: those of the first keep their numbers, new ones of the others follow. */
function mergePaths(segments: readonly CommitSegment[]) {
  const [first, ...others] = segments.map(({ paths }) => paths);
  const firstCount = first?.count ?? 0;
  const added = new Map<string, number>();
  const texts: string[] = [];
  const find = (path: string) => {
    const number = first?.find(path) ?? -1;
    return number === -1 ? (added.get(path) ?? -1) : number;
  };
  const number = (path: string) => {
    const found = find(path);
    if (found !== -1) return found;
    added.set(path, firstCount + texts.length);
    return firstCount + texts.push(path) - 1;
  };
  const pathMaps: (Uint32Array | null)[] = [null];
  for (const paths of others) {
    pathMaps.push(Uint32Array.from({ length: paths.count }, (_, path) => number(paths.get(path))));
  }
  return {
    pathMaps,
    count: firstCount + texts.length,
    get: (path: number) => (path < firstCount ? first!.get(path) : texts[path - firstCount]!),
    find,
  };
}
