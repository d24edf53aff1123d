import { type Dictionary, openDictionary } from '../../bytes/dictionary.ts';
import { type Groups, openGroups, prefixSums, valuesOf } from '../../bytes/groups.ts';
import { findOid, lowerBoundOid } from '../../bytes/oids.ts';
import type { Sections } from '../../bytes/sections.ts';
import { openStringList, type StringList } from '../../bytes/string-list.ts';
import { EXTERNAL_PARENT } from './commit-segment-builder.ts';
import { openPostingLists, type PostingLists } from './postings-reader.ts';

/** Hashes, parents and dates of a commit segment: all that ordering the history needs. */
interface CommitGraph {
  readonly count: number;
  /** Bytes per hash. */
  readonly width: number;
  readonly oids: Uint8Array;
  /** Numbers of commits in the order of their hashes. */
  readonly oidOrder: Uint32Array;
  readonly committed: Uint32Array;
  readonly parents: Groups;
  /** Hashes of parents that are not in the segment. */
  readonly outside: Uint8Array;
}

/** Sections that `openGraph` reads. */
export const GRAPH_SECTIONS = [
  'oids',
  'oidOrder',
  'committed',
  'parents.starts',
  'parents.values',
  'outside.oids',
];

/** An open commit segment. */
export interface CommitSegment extends CommitGraph {
  readonly times: Float64Array;
  readonly authorOf: Uint32Array;
  readonly authors: StringList;
  readonly messages: StringList;
  readonly paths: Dictionary;
  readonly changes: Groups;
  readonly oldPaths: Groups;
  readonly statuses: Buffer;
  readonly touching: Groups;
  /** Commits of which some changes are not stored, ascending, and how many of each. */
  readonly omitted: { readonly commits: Uint32Array; readonly counts: Uint32Array };
  readonly lists: PostingLists;
}

/** Opens the graph of a segment that `CommitSegmentBuilder` wrote. */
export function openGraph(file: Sections): CommitGraph {
  const committed = file.u32('committed');
  return {
    count: committed.length,
    width: file.number('oidBytes'),
    oids: file.u8('oids'),
    oidOrder: file.u32('oidOrder'),
    committed,
    parents: openGroups(file, 'parents'),
    outside: file.u8('outside.oids'),
  };
}

/** Opens a segment that `CommitSegmentBuilder` wrote. */
export function openCommitSegment(file: Sections): CommitSegment {
  const starts = file.u32('changes.starts');
  const letters = file.u8('changes.statuses');
  return {
    ...openGraph(file),
    times: file.f64('times'),
    authorOf: file.u32('authorOf'),
    authors: openStringList(file, 'authors'),
    messages: openStringList(file, 'messages'),
    paths: openDictionary(file, 'paths'),
    changes: { starts, values: file.u32('changes.paths') },
    oldPaths: { starts, values: file.u32('changes.oldPaths') },
    statuses: Buffer.from(letters.buffer, letters.byteOffset, letters.byteLength),
    touching: openGroups(file, 'touching'),
    omitted: { commits: file.u32('omitted.commits'), counts: file.u32('omitted.counts') },
    lists: openPostingLists(file, 'messages', 1),
  };
}

/** First number of each segment's commits when all segments are numbered consecutively, and the total count. */
export const segmentOffsets = (segments: readonly { count: number }[]) =>
  prefixSums(segments.map(({ count }) => count));

/** Finds the number of a full hash over all segments; -1 when absent. */
export function findCommit(graphs: readonly CommitGraph[], bases: Uint32Array, oid: Uint8Array): number {
  for (const [i, { oids, width, oidOrder }] of graphs.entries()) {
    const found = findOid(oids, width, oidOrder, oid);
    if (found !== -1) return bases[i]! + found;
  }
  return -1;
}

/** Finds up to two visible commits of the segment whose hash starts with these digits. */
export function commitsWithPrefix(
  { oids, width, oidOrder }: CommitGraph,
  digits: string,
  isVisible: (commit: number) => boolean,
): number[] {
  const start = lowerBoundOid(oids, width, oidOrder, Buffer.from(digits.slice(0, digits.length & ~1), 'hex'));
  const found: number[] = [];
  for (let i = start; i < oidOrder.length && found.length < 2; i++) {
    const at = oidOrder[i]! * width;
    const candidate = Buffer.from(oids.subarray(at, at + width)).toString('hex');
    if (!candidate.startsWith(digits)) {
      if (candidate > digits) break;
    } else if (isVisible(oidOrder[i]!)) {
      found.push(oidOrder[i]!);
    }
  }
  return found;
}

/** Merges the parents of all segments. Those in no segment become `EXTERNAL_PARENT`, which no commit has. */
export function mergeParents(graphs: readonly CommitGraph[], bases: Uint32Array): Groups {
  if (graphs.length === 1) return graphs[0]!.parents;
  const values: number[] = [];
  const starts = new Uint32Array(bases.at(-1)! + 1);
  graphs.forEach(({ count, parents, outside, width }, i) => {
    for (let commit = 0; commit < count; commit++) {
      for (const parent of valuesOf(parents, commit)) {
        if (parent < EXTERNAL_PARENT) {
          values.push(bases[i]! + parent);
          continue;
        }
        const at = (parent - EXTERNAL_PARENT) * width;
        const found = findCommit(graphs, bases, outside.subarray(at, at + width));
        values.push(found === -1 ? EXTERNAL_PARENT : found);
      }
      starts[bases[i]! + commit + 1] = values.length;
    }
  });
  return { starts, values: Uint32Array.from(values) };
}
