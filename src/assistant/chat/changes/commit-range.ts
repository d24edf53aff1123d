import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { RangeEnd } from '../understand/entities.ts';

/** Number of the indexed head. */
const HEAD = 0;
const REACHED_BY_END = 1;
const REACHED_BY_START = 2;

/**
 * Commits between two points of the history, newest first: those that the end reaches and the start does not, as
 * `git log start..end`. By time where a point is a date or a commit that the indexed head does not reach.
 */
export function commitsInRange(
  { from, to }: { from: RangeEnd; to: RangeEnd },
  index: RepositoryIndex,
): number[] {
  const { commits } = index;
  const start = numberOf(from, index);
  const end = to.oid === null ? HEAD : numberOf(to, index);
  const reached = reachableDifference(start, Math.max(HEAD, end), index);
  const isTimed = { start: start < 0, end: to.oid === null || end < 0 };
  if (!isTimed.start && !isTimed.end) return reached;
  return reached.filter((commit) => {
    const time = commits.time(commit);
    return !(isTimed.start && time <= from.time) && !(isTimed.end && time > to.time);
  });
}

function numberOf({ oid }: RangeEnd, { commits }: RepositoryIndex): number {
  return oid === null ? -1 : commits.find(oid);
}

/**
 * Commits that `end` reaches and `start` does not; -1 for no start. Children have smaller numbers than their parents, so one pass in this
 * order colours every commit after all its children; it ends when no commit is left that only `end` reaches.
 */
function reachableDifference(start: number, end: number, { commits }: RepositoryIndex): number[] {
  if (start === end) return [];
  const colors = new Uint8Array(commits.count);
  if (start >= 0) colors[start] = REACHED_BY_START;
  colors[end] = REACHED_BY_END;
  const found: number[] = [];
  let pending = 1;
  for (let commit = start < 0 ? end : Math.min(start, end); commit < commits.count && pending > 0; commit++) {
    const color = colors[commit]!;
    if (color === 0) continue;
    if (color === REACHED_BY_END) {
      found.push(commit);
      pending -= 1;
    }
    for (const parent of commits.parents(commit)) {
      const before = colors[parent]!;
      const after = before | color;
      if (after === before) continue;
      if (after === REACHED_BY_END) pending += 1;
      else if (before === REACHED_BY_END) pending -= 1;
      colors[parent] = after;
    }
  }
  return found;
}
