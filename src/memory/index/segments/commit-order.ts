import { AppError } from '#contract/errors.ts';
import { addSection, createDraft, type SectionDraft, type Sections } from '../../bytes/sections.ts';
import { findCommit, mergeParents, openGraph, segmentOffsets } from './commit-segment.ts';
import { sortByDate } from './date-order.ts';

/**
 * Builds the order of the commits that `revisions` reach: their numbers over all segments, numbered consecutively;
 * empty for the identity. The first revision is the indexed one. Throws `not_found` for a revision that no segment has.
 */
export function buildCommitOrder(
  revisions: readonly string[],
  segments: readonly { name: string; file: Sections }[],
): { draft: SectionDraft; count: number } {
  const graphs = segments.map(({ file }) => openGraph(file));
  const bases = segmentOffsets(graphs);
  const heads = revisions.map((revision) => {
    const head = findCommit(graphs, bases, Buffer.from(revision, 'hex'));
    if (head === -1) throw new AppError('not_found', 'commit_not_indexed', { params: { commit: revision } });
    return head;
  });
  const committed = new Uint32Array(bases.at(-1)!);
  for (const [i, graph] of graphs.entries()) committed.set(graph.committed, bases[i]!);
  const order = sortByDate(mergeParents(graphs, bases), committed, heads);
  const isIdentity =
    graphs.length === 1 && order.length === committed.length && order.every((commit, i) => commit === i);
  const draft = createDraft();
  draft.facts.revision = revisions[0]!;
  draft.facts.segments = segments.map(({ name }) => name);
  addSection(draft, 'order', isIdentity ? new Uint32Array(0) : order);
  return { draft, count: order.length };
}
