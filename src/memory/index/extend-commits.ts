import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PageCache, SectionFile } from '../bytes/section-file.ts';
import { PAGE_BYTES } from '../bytes/section-writer.ts';
import { addSection, createDraft, writeSections } from '../bytes/sections.ts';
import type { IndexTask } from './build-code.ts';
import { COMMIT_SEGMENT, HISTORY_FILE } from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import type { CommitSegmentBuilder } from './segments/commit-segment-builder.ts';
import { extendOrder } from './segments/extend-order.ts';
import { countReusableSegments, maxAddedTo } from './segments/merge-policy.ts';
import { PagedGraph } from './segments/paged-graph.ts';

/** Pages of the previous history that stay in memory: 4 MiB. */
const CACHED_PAGES = 256;

/** Collects the commits that the revision reaches and none of `not` does; null when there are more than `max` or they don't fit. */
type CollectCommits = (range: { not: string[]; max: number }) => Promise<CommitSegmentBuilder | null>;

/** Commits of an extended history, and changes of them that are not stored. */
interface ExtendedHistory {
  commits: number;
  omittedChanges: number;
}

/**
 * Adds the commits since the previous generation to its history: reads them alone from git, and puts them in order among
 * those that are not older. Null, with nothing written, where all commits have to be looked at: after a force push, and where
 * large segments have to be merged. Throws `index_rebuilding` for a damaged generation.
 */
export async function extendCommits(
  { previous, folder, revision }: Pick<IndexTask, 'folder' | 'revision'> & { previous: string },
  collect: CollectCommits,
): Promise<ExtendedHistory | null> {
  const cache = new PageCache(CACHED_PAGES * PAGE_BYTES);
  const opened: SectionFile[] = [];
  const open = (path: string, kind: string) => {
    const file = new SectionFile(path, kind, cache);
    opened.push(file);
    return file;
  };
  try {
    const history = open(join(previous, HISTORY_FILE), HISTORY_FILE);
    const names = history.facts.segments as string[];
    const before = names.map((name) => open(join(previous, name), COMMIT_SEGMENT));
    const kept = countKept(before);
    if (kept === 0) return null;
    const not = before.slice(0, kept).flatMap(({ facts }) => facts.tips as string[]);
    const builder = await collect({ not, max: maxAddedTo(sizeOf(before[kept - 1]!)) });
    if (builder === null) return null;
    const segments = names.slice(0, kept);
    const after = before.slice(0, kept);
    if (builder.count > 0) {
      const name = newSegmentName(COMMIT_SEGMENT);
      writeSections(join(folder, name), COMMIT_SEGMENT, await builder.finish([revision]));
      segments.push(name);
      after.push(open(join(folder, name), COMMIT_SEGMENT));
    }
    const order = extendStoredOrder(
      storedOrder(history, before),
      new PagedGraph(before),
      new PagedGraph(after),
      {
        revision,
        kept,
      },
    );
    if (order === null) {
      for (const name of segments.slice(kept)) await rm(join(folder, name));
      return null;
    }
    for (const name of segments.slice(0, kept)) await link(join(previous, name), join(folder, name));
    writeHistory(folder, { revision, segments, order });
    return {
      commits: order.length,
      omittedChanges: after.reduce((sum, { facts }) => sum + Number(facts.omittedChanges), 0),
    };
  } finally {
    for (const file of opened) file.close();
  }
}

const sizeOf = (segment: SectionFile) => segment.section('committed').bytes / Uint32Array.BYTES_PER_ELEMENT;

/** Segments that stay when a commit is added; none where commits beyond the end of a shallow or limited history may have come. */
function countKept(segments: readonly SectionFile[]): number {
  if (segments.length === 0 || segments[0]!.section('outside.oids').bytes > 0) return 0;
  const sizes = segments.map((segment) => ({ size: sizeOf(segment), live: sizeOf(segment) }));
  return countReusableSegments(sizes, 1);
}

/** Numbers of the visible commits of a history; an empty section stands for all in their order. */
function storedOrder(history: SectionFile, segments: readonly SectionFile[]): Uint32Array {
  const order = history.readU32('order');
  if (order.length > 0) return order;
  return Uint32Array.from({ length: segments.reduce((sum, one) => sum + sizeOf(one), 0) }, (_, at) => at);
}

/** The order of the commits of `after`, from that of `before`, which has the same `kept` first segments. */
function extendStoredOrder(
  order: Uint32Array,
  before: PagedGraph,
  after: PagedGraph,
  { revision, kept }: { revision: string; kept: number },
): Uint32Array | null {
  const sharedCount = before.bases[kept]!;
  const isVisible = new Uint8Array(after.bases.at(-1)!);
  const old = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const commit = order[place]!;
    const number = commit < sharedCount ? commit : after.find(before.oid(commit));
    if (number === -1) return null;
    old[place] = number;
    isVisible[number] = 1;
  }
  const added: number[] = [];
  for (let commit = sharedCount; commit < isVisible.length; commit++) {
    if (isVisible[commit] === 0) added.push(commit);
  }
  for (const commit of added) isVisible[commit] = 1;
  // A commit that was hidden, as after a force push, is visible again; or git's log was cut off.
  const isKnown = (commit: number) =>
    after.hasAllParents(commit) && after.parents(commit).every((parent) => isVisible[parent] === 1);
  if (!added.every(isKnown)) return null;
  return extendOrder(old, added, after.find(Buffer.from(revision, 'hex')), after);
}

function writeHistory(
  folder: string,
  { revision, segments, order }: { revision: string; segments: string[]; order: Uint32Array },
): void {
  const draft = createDraft();
  draft.facts.revision = revision;
  draft.facts.segments = segments;
  const isIdentity = segments.length === 1 && order.every((commit, place) => commit === place);
  addSection(draft, 'order', isIdentity ? new Uint32Array(0) : order);
  writeSections(join(folder, HISTORY_FILE), HISTORY_FILE, draft);
}
