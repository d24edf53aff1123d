/** Which side of a change: lines that came, or lines that went. */
export type Side = 'added' | 'removed';

/** A place where a commit changed a file: the lines that git would show as one hunk, at most 64 changed ones. */
export interface HunkPlace {
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
export const LEFT_REASONS = [
  'binary',
  'generated',
  'vendored',
  'too_large',
  'long_lines',
  'unreadable',
  'over_cap',
] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];
export type Left = Partial<Record<LeftReason, number>>;

/** Adds the counts of `more` to `left`. */
export function addLeft(left: Left, more: Left): void {
  for (const reason of LEFT_REASONS) {
    if (more[reason] !== undefined) left[reason] = (left[reason] ?? 0) + more[reason];
  }
}

/** Steps a doubling: a length is known to within 5 %. */
const STEPS = 16;

/** A length in terms as one byte on a logarithmic scale, up to 65,000. */
export function lengthCode(length: number): number {
  return Math.min(255, Math.round(STEPS * Math.log2(1 + length)));
}

/** The length that every code of `lengthCode` stands for. */
export const LENGTHS = Float64Array.from({ length: 256 }, (_, code) => 2 ** (code / STEPS) - 1);
