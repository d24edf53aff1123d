import { sortByDate } from './date-order.ts';

/** Older commits among which new ones may lie; with more, the whole history is sorted. */
const MAX_INTERLEAVED = 10_000;

/** Parents and committer times of commits by number; unknown parents are left out. */
export interface CommitGraphReader {
  parents(commit: number): readonly number[];
  committed(commit: number): number;
}

/**
 * Adds commits to an order of `sortByDate` with the same result as sorting all: the work is that of the new commits and of
 * those older ones that are not older than they are. Null where that can't be shown without looking at the others, as after a
 * force push.
 *
 *     new order = (new commits and the first k of `order`) (the rest of `order`)
 *
 * Once the last new commit is out, sorting goes on as it did without new ones: the same commits are out, so the same are
 * ready. Before that, no other commit is out, for each of them is older than a new one that is ready.
 */
export function extendOrder(
  order: Uint32Array,
  added: readonly number[],
  head: number,
  graph: CommitGraphReader,
): Uint32Array | null {
  if (added.length === 0) return head === order[0] ? order : null;
  const oldest = added.reduce((least, commit) => Math.min(least, graph.committed(commit)), Infinity);
  let count = 0;
  while (count < order.length && count <= MAX_INTERLEAVED && graph.committed(order[count]!) >= oldest)
    count++;
  for (count++; count <= MAX_INTERLEAVED; count *= 2) {
    const first = mergeFirst(order.subarray(0, count), added, head, { graph, oldest });
    if (first === null) continue;
    const whole = new Uint32Array(order.length + added.length);
    whole.set(first);
    whole.set(order.subarray(first.length - added.length), first.length);
    return whole;
  }
  return null;
}

/** Sorts new commits and the first old ones, up to the last new commit; null where other commits might come before it. */
function mergeFirst(
  old: Uint32Array,
  added: readonly number[],
  head: number,
  { graph, oldest }: { graph: CommitGraphReader; oldest: number },
): number[] | null {
  const nodes = [...added, ...old];
  const sorted = sortNodes(nodes, head, graph);
  if (sorted === null) return null;
  const isNew = new Set(added);
  const end = sorted.findLastIndex((commit) => isNew.has(commit)) + 1;
  const first = sorted.slice(0, end);
  const kept = end - added.length;
  // At least one old commit follows, in its old place.
  if (kept >= old.length || sorted.slice(end).some((commit, at) => commit !== old[kept + at])) return null;
  const members = new Set(nodes);
  const next = readyOrder(first, graph);
  for (const commit of next.keys()) {
    if (!members.has(commit) && graph.committed(commit) >= oldest) return null;
  }
  return hasSameTies(readyOrder(old.subarray(0, kept), graph), next, graph) ? first : null;
}

function sortNodes(nodes: readonly number[], head: number, graph: CommitGraphReader): number[] | null {
  const numbers = new Map(nodes.map((commit, number) => [commit, number]));
  const starts = new Uint32Array(nodes.length + 1);
  const values: number[] = [];
  nodes.forEach((commit, number) => {
    values.push(...graph.parents(commit).map((parent) => numbers.get(parent) ?? nodes.length));
    starts[number + 1] = values.length;
  });
  const committed = Uint32Array.from(nodes, graph.committed);
  const sorted = sortByDate({ starts, values: Uint32Array.from(values) }, committed, [
    numbers.get(head) ?? 0,
  ]);
  return sorted.length === nodes.length ? Array.from(sorted, (number) => nodes[number]!) : null;
}

/** Parents of sorted commits that follow them, each with the place at which it is ready at the earliest. */
function readyOrder(sorted: Iterable<number>, graph: CommitGraphReader): Map<number, number> {
  const places = new Map<number, number>();
  const done = new Set<number>();
  let place = 0;
  for (const commit of sorted) {
    done.add(commit);
    for (const parent of graph.parents(commit)) places.set(parent, place++);
  }
  for (const commit of done) places.delete(commit);
  return places;
}

/** True when commits of equal time, which come in the order in which they are ready, become so in the same order as before. */
function hasSameTies(
  before: Map<number, number>,
  now: Map<number, number>,
  graph: CommitGraphReader,
): boolean {
  const byTime = Map.groupBy(
    [...before.keys()].filter((commit) => now.has(commit)),
    graph.committed,
  );
  return [...byTime.values()].every((commits) => {
    const then = commits.toSorted((a, b) => before.get(a)! - before.get(b)!);
    return then.every((commit, at) => at === 0 || now.get(then[at - 1]!)! < now.get(commit)!);
  });
}
