import { lastAtMost, valuesOf } from '../../bytes/chunked-arrays.ts';
import type { ShardFile } from '../../bytes/container.ts';
import { createOidReader, findOid } from '../../bytes/oids.ts';
import type { CommitTable } from '../../repository-index.ts';
import { openChangedPaths } from './changed-paths.ts';
import {
  type CommitSegment,
  commitsWithPrefix,
  mergeParents,
  openCommitSegment,
  segmentOffsets,
} from './commit-segment.ts';
import { PostingsReader } from './postings-reader.ts';

/**
 * A revision's history over the segments that hold its commits. `file` says which of them it shows, and in which
 * order; commits count on from segment to segment.
 */
export function openCommitTable(file: ShardFile, segmentFiles: readonly ShardFile[]): CommitTable {
  const segments = segmentFiles.map(openCommitSegment);
  const bases = segmentOffsets(segments);
  const order = file.u32('order');
  const isPlain = order.length === 0;
  const count = isPlain ? bases.at(-1)! : order.length;
  const toSegmentNumber = isPlain ? (commit: number) => commit : (commit: number) => order[commit]!;
  const numbers = isPlain ? null : numberCommits(bases.at(-1)!, order);
  const toVisibleNumber = numbers ? (commit: number) => numbers[commit] ?? -1 : (commit: number) => commit;

  const locate = (commit: number): CommitLocation => {
    const number = toSegmentNumber(commit);
    const i = lastAtMost(bases, number);
    return { segment: segments[i]!, local: number - bases[i]!, i };
  };
  const hex = segments.map(({ oids, count: length }) => createOidReader(oids, length));
  const who = (commit: number) => {
    const { segment, local } = locate(commit);
    return segment.authors.get(segment.authorOf[local]!).split('\n');
  };
  const message = (commit: number) => {
    const { segment, local } = locate(commit);
    return segment.messages.get(local);
  };
  const parents = mergeParents(segments, bases);
  const lists = segments.map((segment, i) => ({
    lists: segment.lists,
    numbers: numbers?.subarray(bases[i], bases[i + 1]) ?? null,
  }));
  const lengths = numbers ? lengthsOf(count, locate) : segments[0]!.lists.lengths[0]!;
  return {
    count,
    oid: (commit) => {
      const { local, i } = locate(commit);
      return hex[i]!(local);
    },
    find: (hash) => {
      if (!/^[0-9a-f]{7,64}$/.test(hash) || hash.length > (segments[0]?.width ?? 0) * 2) return -1;
      const width = segments[0]!.width;
      if (hash.length === width * 2) {
        const oid = Buffer.from(hash, 'hex');
        for (const [i, { oids, oidOrder }] of segments.entries()) {
          const local = findOid(oids, width, oidOrder, oid);
          const number = local < 0 ? -1 : toVisibleNumber(bases[i]! + local);
          if (number >= 0) return number;
        }
        return -1;
      }
      const found = segments.flatMap((segment, i) => {
        const number = (commit: number) => toVisibleNumber(bases[i]! + commit);
        return commitsWithPrefix(segment, hash, (commit) => number(commit) >= 0).map(number);
      });
      return found.length === 1 ? found[0]! : -1;
    },
    time: (commit) => {
      const { segment, local } = locate(commit);
      return segment.times[local]!;
    },
    author: (commit) => who(commit)[0]!,
    email: (commit) => who(commit)[1]!,
    subject: (commit) => subjectOf(message(commit)),
    message,
    parents: (commit) =>
      Array.from(valuesOf(parents, toSegmentNumber(commit)), toVisibleNumber).filter(
        (parent) => parent >= 0 && parent < count,
      ),
    ...openChangedPaths(segments, bases, locate, numbers),
    messages: new PostingsReader(lists, count).field(0, lengths),
  };
}

/** What a table over several segments needs of one commit. */
export interface CommitLocation {
  readonly segment: CommitSegment;
  /** Its number there. */
  readonly local: number;
  /** The segment's number. */
  readonly i: number;
}

/** The shown number of every commit of the segments; -1 for those that are not shown. */
function numberCommits(count: number, order: Uint32Array): Int32Array {
  const numbers = new Int32Array(count).fill(-1);
  order.forEach((commit, number) => {
    numbers[commit] = number;
  });
  return numbers;
}

function lengthsOf(count: number, place: (commit: number) => CommitLocation): Uint32Array {
  return Uint32Array.from({ length: count }, (_, commit) => {
    const { segment, local } = place(commit);
    return segment.lists.lengths[0]![local]!;
  });
}

/** As git's `%s`: the first paragraph on one line. */
function subjectOf(message: string): string {
  return message
    .trimStart()
    .split(/\n\s*\n/, 1)[0]!
    .replace(/\s*\n\s*/g, ' ')
    .trimEnd();
}
