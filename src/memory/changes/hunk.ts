/** Side of a diff. */
export type DiffSide = 'added' | 'removed';

/** Lines of a file that a commit changed: what git would show as one hunk, at most 64 changed lines. */
export interface HunkLocation extends HunkPosition {
  /** Full hash of the commit. */
  oid: string;
  path: string;
  /** The name before a rename, otherwise `path`. */
  oldPath: string;
}

/**
 * First line on either side, from 1, at the first changed line, and the number of lines up to the last one that was removed or
 * added.
 */
export interface HunkPosition {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/** The hunks of one commit in a file, in the order of its lines. */
export interface FileHunks {
  /** The name before a rename, otherwise the same. */
  oldPath: string;
  hunks: HunkPosition[];
}

/** Reasons why a file's changes are indexed in part or not at all. */
const CHANGE_SKIP_REASONS = [
  'binary',
  'generated',
  'vendored',
  'too_large',
  'long_lines',
  'unreadable',
  'over_limit',
] as const;
export type ChangeSkipReason = (typeof CHANGE_SKIP_REASONS)[number];
export type SkipCounts = Partial<Record<ChangeSkipReason, number>>;

/** Adds the counts of `more` to `counts`. */
export function addSkipCounts(counts: SkipCounts, more: SkipCounts): void {
  for (const reason of CHANGE_SKIP_REASONS) {
    if (more[reason] !== undefined) counts[reason] = (counts[reason] ?? 0) + more[reason];
  }
}

/** Steps per doubling: a length is exact to within 5 %. */
const STEPS_PER_DOUBLING = 16;

/** Encodes a length in terms as one byte on a logarithmic scale, up to 65,000. */
export function encodeLength(length: number): number {
  return Math.min(255, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + length)));
}

/** Lengths by their code of `encodeLength`. */
export const DECODED_LENGTHS = Float64Array.from(
  { length: 256 },
  (_, code) => 2 ** (code / STEPS_PER_DOUBLING) - 1,
);
