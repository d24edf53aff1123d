/** Which side of a change: lines that came, or lines that went. */
export type DiffSide = 'added' | 'removed';

/** A place where a commit changed a file: the lines that git would show as one hunk, at most 64 changed ones. */
export interface HunkLocation {
  /** Full hash of the commit. */
  oid: string;
  path: string;
  /** The name before a rename, otherwise `path`. */
  oldPath: string;
  /** First line before and after the change, from 1, and how many lines the hunk spans on that side. */
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/** Changes of files of which only the first part was read, or nothing, by reason. */
export const CHANGE_SKIP_REASONS = [
  'binary',
  'generated',
  'vendored',
  'too_large',
  'long_lines',
  'unreadable',
  'over_cap',
] as const;
export type ChangeSkipReason = (typeof CHANGE_SKIP_REASONS)[number];
export type SkipCounts = Partial<Record<ChangeSkipReason, number>>;

/** Adds the counts of `more` to `left`. */
export function addSkipCounts(left: SkipCounts, more: SkipCounts): void {
  for (const reason of CHANGE_SKIP_REASONS) {
    if (more[reason] !== undefined) left[reason] = (left[reason] ?? 0) + more[reason];
  }
}

/** Steps a doubling: a length is known to within 5 %. */
const STEPS_PER_DOUBLING = 16;

/** A length in terms as one byte on a logarithmic scale, up to 65,000. */
export function encodeLength(length: number): number {
  return Math.min(255, Math.round(STEPS_PER_DOUBLING * Math.log2(1 + length)));
}

/** The length that every code of `lengthCode` stands for. */
export const DECODED_LENGTHS = Float64Array.from(
  { length: 256 },
  (_, code) => 2 ** (code / STEPS_PER_DOUBLING) - 1,
);
