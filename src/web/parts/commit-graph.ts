import type { Commit } from '#contract/projects.ts';

/** Line of a row, from and to a lane; `y` is 0 at the top of the row, 0.5 at its commit and 1 at its end. */
interface GraphSegment {
  from: number;
  to: number;
  y: [from: number, to: number];
}

/** Row of the graph: the lane of its commit, and the lines that pass or meet it. */
export interface GraphRow {
  lane: number;
  segments: GraphSegment[];
}

/** Lays out commits, children before their parents, in lanes: a branch keeps its lane until it is merged. */
export function layoutGraph(commits: readonly Pick<Commit, 'hash' | 'parents'>[]): GraphRow[] {
  // Hash that each lane leads to; null for a free one.
  const lanes: (string | null)[] = [];
  return commits.map(({ hash, parents = [] }) => {
    const known = lanes.indexOf(hash);
    const lane = known === -1 ? takeLane(lanes) : known;
    const segments: GraphSegment[] = [];
    for (const [i, target] of lanes.entries()) {
      if (target === hash) segments.push({ from: i, to: lane, y: [0, 0.5] });
      else if (target !== null) segments.push({ from: i, to: i, y: [0, 1] });
      if (target === hash) lanes[i] = null;
    }
    for (const [i, parent] of parents.entries()) {
      const open = lanes.indexOf(parent);
      const to = open !== -1 ? open : i === 0 ? lane : takeLane(lanes, lane);
      if (open === -1) lanes[to] = parent;
      segments.push({ from: lane, to, y: [0.5, 1] });
    }
    return { lane, segments };
  });
}

/** First free lane, other than `except`. */
function takeLane(lanes: (string | null)[], except = -1): number {
  const free = lanes.findIndex((target, i) => target === null && i !== except);
  if (free !== -1) return free;
  lanes.push(null);
  return lanes.length - 1 === except ? takeLane(lanes, except) : lanes.length - 1;
}
