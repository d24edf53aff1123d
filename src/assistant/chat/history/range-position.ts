import type { FileHunks, HunkPosition } from '#memory/changes/hunk.ts';

/** Lines from and to, from 1. */
export interface FollowedLines {
  from: number;
  to: number;
}

/** A commit that does not touch the range: lines by which the range moves towards the past, at least and at most. */
interface Move {
  commit: number;
  least: number;
  most: number;
}

/**
 * Follows a range of lines towards the past by the positions of hunks, which are a thousandth of the patches. Where the last hunk
 * above the range leaves the number of its lines open, the range is known within bounds, until `resolve` has read the patches.
 */
export class RangePosition {
  /** The range before `#moves`. */
  #range: FollowedLines;
  #moves: Move[] = [];
  #least = 0;
  #most = 0;

  constructor(range: FollowedLines) {
    this.#range = range;
  }

  /** The range; only while no commit is left to be resolved. */
  get range(): FollowedLines {
    return this.#range;
  }

  /** Commits whose patches tell by how many lines the range moved, newest first. */
  get unresolved(): number[] {
    return this.#moves.filter(({ least, most }) => least !== most).map(({ commit }) => commit);
  }

  /** Moves the range past a commit; false when the commit may touch the range, as far as the bounds tell. */
  pass(commit: number, { hunks }: FileHunks): boolean {
    const from = this.#range.from + this.#least;
    const to = this.#range.to + this.#most;
    // Its removed lines may follow the added ones, behind lines of both sides.
    const above = hunks.filter(({ newStart, newLines, oldLines }) => newStart + newLines + oldLines < from);
    const below = hunks.filter(({ newStart }) => newStart > to + 1);
    if (above.length + below.length < hunks.length) return false;
    const [next] = below;
    const move = next ? exactMove(next) : moveBehind(above.at(-1));
    this.#moves.push({ commit, ...move });
    this.#least += move.least;
    this.#most += move.most;
    if (this.unresolved.length === 0) this.#apply(() => 0);
    return true;
  }

  /** Moves the range by the lines that `moveOf` tells for the commits that are unresolved. */
  resolve(moveOf: (commit: number, range: FollowedLines) => number): void {
    this.#apply(moveOf);
  }

  /** Continues with another range. */
  reset(range: FollowedLines): void {
    this.#range = range;
    this.#moves = [];
    [this.#least, this.#most] = [0, 0];
  }

  #apply(moveOf: (commit: number, range: FollowedLines) => number): void {
    let range = this.#range;
    for (const { commit, least, most } of this.#moves) {
      const lines = least === most ? least : moveOf(commit, range);
      range = { from: range.from + lines, to: range.to + lines };
    }
    this.reset(range);
  }
}

/** Lines before a hunk move by the difference of its starts. */
function exactMove({ oldStart, newStart }: HunkPosition): Omit<Move, 'commit'> {
  return { least: oldStart - newStart, most: oldStart - newStart };
}

/** Lines behind the last hunk of a file move by its removed and added lines as well, which its spans bound. */
function moveBehind(hunk: HunkPosition | undefined): Omit<Move, 'commit'> {
  if (!hunk) return { least: 0, most: 0 };
  const before = hunk.oldStart - hunk.newStart;
  const [removed, added] = [
    changedLines(hunk.oldLines, hunk.newLines),
    changedLines(hunk.newLines, hunk.oldLines),
  ];
  return { least: before + removed.least - added.most, most: before + removed.most - added.least };
}

/** Number of lines that are changed in a span: its last one is, and its first one where the other side has none. */
function changedLines(lines: number, others: number): { least: number; most: number } {
  return { least: Math.min(lines, others === 0 ? 2 : 1), most: lines };
}
