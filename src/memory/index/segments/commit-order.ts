import { AppError } from '#contract/errors.ts';
import { addSection, type Draft, newDraft, type ShardFile } from '../../bytes/container.ts';
import { findCommit, mergeParents, openGraph, segmentOffsets } from './commit-segment.ts';
import { sortByDate } from './date-order.ts';

/**
 * What revisions show of the commits in their segments: `order` is the number in the segments of each shown commit,
 * counted on from one to the next; empty when it would say nothing. The first revision is the one described.
 * Throws `not_found` for a revision that the segments lack.
 */
export function buildCommitOrder(
  revisions: readonly string[],
  segments: readonly { name: string; file: ShardFile }[],
): { draft: Draft; count: number } {
  const graphs = segments.map(({ file }) => openGraph(file));
  const bases = segmentOffsets(graphs);
  const heads = revisions.map((revision) => {
    const head = findCommit(graphs, bases, Buffer.from(revision, 'hex'));
    if (head === -1) throw new AppError('not_found', `The memory has no commit ${revision}.`);
    return head;
  });
  const committed = new Uint32Array(bases.at(-1)!);
  for (const [i, graph] of graphs.entries()) committed.set(graph.committed, bases[i]!);
  const order = sortByDate(mergeParents(graphs, bases), committed, heads);
  const isPlain =
    graphs.length === 1 && order.length === committed.length && order.every((commit, i) => commit === i);
  const draft = newDraft();
  draft.facts.revision = revisions[0]!;
  draft.facts.segments = segments.map(({ name }) => name);
  addSection(draft, 'order', isPlain ? new Uint32Array(0) : order);
  return { draft, count: order.length };
}
