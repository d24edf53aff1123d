import { findRun, valuesOf } from '../../bytes/groups.ts';
import { createOidReader, findOid } from '../../bytes/oids.ts';
import type { Sections } from '../../bytes/sections.ts';
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
 * Opens the history of a revision over the segments that contain its commits. `manifest` lists the visible ones in
 * their order, numbered consecutively over all segments.
 */
export function openCommitTable(manifest: Sections, segmentFiles: readonly Sections[]): CommitTable {
  const segments = segmentFiles.map(openCommitSegment);
  const bases = segmentOffsets(segments);
  const order = manifest.u32('order');
  const isIdentity = order.length === 0;
  const count = isIdentity ? bases.at(-1)! : order.length;
  const toSegmentNumber = isIdentity ? (commit: number) => commit : (commit: number) => order[commit]!;
  const docMap = isIdentity ? null : mapCommits(bases.at(-1)!, order);
  const toVisibleNumber = docMap ? (commit: number) => docMap[commit] ?? -1 : (commit: number) => commit;

  const locate = (commit: number): CommitLocation => {
    const number = toSegmentNumber(commit);
    const i = findRun(bases, number);
    return { segment: segments[i]!, local: number - bases[i]!, i };
  };
  const hex = segments.map(({ oids, count: length }) => createOidReader(oids, length));
  const authorAndEmail = (commit: number) => {
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
    docMap: docMap?.subarray(bases[i], bases[i + 1]) ?? null,
  }));
  const lengths = docMap ? lengthsOf(count, locate) : segments[0]!.lists.lengths[0]!;
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
    committed: (commit) => {
      const { segment, local } = locate(commit);
      return segment.committed[local] || Number.NaN;
    },
    author: (commit) => authorAndEmail(commit)[0]!,
    email: (commit) => authorAndEmail(commit)[1]!,
    subject: (commit) => subjectOf(message(commit)),
    message,
    parents: (commit) =>
      Array.from(valuesOf(parents, toSegmentNumber(commit)), toVisibleNumber).filter(
        (parent) => parent >= 0 && parent < count,
      ),
    ...openChangedPaths(segments, bases, locate, docMap),
    messages: new PostingsReader(lists, count).field(0, lengths),
  };
}

/** Position of a commit in its segment. */
export interface CommitLocation {
  readonly segment: CommitSegment;
  /** Number within the segment. */
  readonly local: number;
  /** Number of the segment. */
  readonly i: number;
}

/** The visible number of every commit of the segments; -1 for hidden ones. */
function mapCommits(count: number, order: Uint32Array): Int32Array {
  const docMap = new Int32Array(count).fill(-1);
  order.forEach((commit, number) => {
    docMap[commit] = number;
  });
  return docMap;
}

function lengthsOf(count: number, place: (commit: number) => CommitLocation): Uint32Array {
  return Uint32Array.from({ length: count }, (_, commit) => {
    const { segment, local } = place(commit);
    return segment.lists.lengths[0]![local]!;
  });
}

/** The subject as in git's `%s`: the first paragraph on one line. */
function subjectOf(message: string): string {
  return message
    .trimStart()
    .split(/\n\s*\n/, 1)[0]!
    .replace(/\s*\n\s*/g, ' ')
    .trimEnd();
}
