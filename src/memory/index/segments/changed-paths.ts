import { lastAtMost, valuesOf } from '../../bytes/chunked-arrays.ts';
import type { CommitTable } from '../../repository-index.ts';
import type { CommitSegment } from './commit-segment.ts';
import type { CommitLocation } from './commit-table.ts';

type ChangedPaths = Pick<
  CommitTable,
  'paths' | 'oldPaths' | 'statuses' | 'omittedChanges' | 'pathCount' | 'path' | 'pathNumber' | 'touching'
>;

/**
 * What commits changed, over all segments. `place` finds a commit; `numbers` are those shown, -1 for none, by the
 * number that counts on from one segment to the next, as `bases` say. Null: they are the same.
 */
export function openChangedPaths(
  segments: readonly CommitSegment[],
  bases: Uint32Array,
  locate: (commit: number) => CommitLocation,
  numbers: Int32Array | null,
): ChangedPaths {
  const paths = mergePaths(segments);
  const renumbered = (i: number, local: Uint32Array) => {
    const joined = paths.numbers[i]!;
    return joined === null ? local : local.map((path) => joined[path]!);
  };
  const touching = (path: number) => {
    if (numbers === null) return valuesOf(segments[0]!.touching, path);
    const text = paths.get(path);
    const commits = segments.flatMap((segment, i) => {
      const local = segment.paths.find(text);
      if (local === -1) return [];
      return Array.from(valuesOf(segment.touching, local), (commit) => numbers[bases[i]! + commit]!);
    });
    return Uint32Array.from(commits.filter((commit) => commit >= 0)).sort();
  };
  return {
    paths: (commit) => {
      const { segment, local, i } = locate(commit);
      return renumbered(i, valuesOf(segment.changes, local));
    },
    oldPaths: (commit) => {
      const { segment, local, i } = locate(commit);
      return renumbered(i, valuesOf(segment.oldPaths, local));
    },
    statuses: (commit) => {
      const { segment, local } = locate(commit);
      const { starts } = segment.changes;
      return segment.statuses.toString('latin1', starts[local], starts[local + 1]);
    },
    omittedChanges: (commit) => {
      const { segment, local } = locate(commit);
      const { commits, counts } = segment.omitted;
      const at = lastAtMost(commits, local);
      return [at, at + 1].reduce((sum, i) => sum + (commits[i] === local ? counts[i]! : 0), 0);
    },
    pathCount: paths.count,
    path: paths.get,
    pathNumber: paths.find,
    touching,
  };
}

/** Paths over all segments: the first one's keep their numbers, what the others add counts on. */
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
    const known = find(path);
    if (known !== -1) return known;
    added.set(path, firstCount + texts.length);
    return firstCount + texts.push(path) - 1;
  };
  const numbers: (Uint32Array | null)[] = [null];
  for (const paths of others) {
    numbers.push(Uint32Array.from({ length: paths.count }, (_, path) => number(paths.get(path))));
  }
  return {
    numbers,
    count: firstCount + texts.length,
    get: (path: number) => (path < firstCount ? first!.get(path) : texts[path - firstCount]!),
    find,
  };
}
