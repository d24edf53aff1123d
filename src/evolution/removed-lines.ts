import type { FileDiff, Hunk } from '#contract/projects.ts';
import { type BlameLine, blame } from '#git/blame.ts';
import { isReadableCode } from './code-paths.ts';
import { isNonSource } from './fixes.ts';

/** A line that a change removes, with the commit that wrote it. */
export interface RemovedLine extends Omit<BlameLine, 'author' | 'previous'> {
  /** Path before the change. */
  path: string;
  text: string;
  /** Hunk that removes it. */
  hunk: Hunk;
}

const MAX_HUNKS = 24;
const BLAME_TIMEOUT_MS = 5_000;
/** Age of a fix, in seconds, after which its lines are ordinary code. */
export const MAX_FIX_AGE_S = 2 * 365 * 86_400;

interface RemovedLinesOptions {
  repo: string;
  /** Commit before the change. */
  before: string;
  /** Time of the change in seconds since 1970; older lines than `MAX_FIX_AGE_S` are left out. */
  time: number;
  signal?: AbortSignal | undefined;
}

/**
 * Blames the lines of code and tests that a diff without context lines removes: the first hunks, those of sources before
 * those of tests.
 */
export async function blameRemovedLines(
  files: readonly FileDiff[],
  { repo, before, time, signal }: RemovedLinesOptions,
): Promise<RemovedLine[]> {
  const removed: RemovedLine[] = [];
  const oldest = time - MAX_FIX_AGE_S;
  const readable = files.filter(({ old_path: path }) => path !== null && isReadableCode(path));
  let left = MAX_HUNKS;
  for (const { old_path, hunks } of readable.toSorted((a, b) => testsLast(a) - testsLast(b))) {
    const path = old_path!;
    const removing = hunks.filter((hunk) => hunk.old_lines > 0).slice(0, Math.max(0, left));
    left -= removing.length;
    if (removing.length === 0) continue;
    const ranges = removing.map((hunk) => [hunk.old_start, hunk.old_start + hunk.old_lines - 1] as const);
    const request = { commit: before, path, ranges, since: oldest, timeoutMs: BLAME_TIMEOUT_MS, signal };
    const blamed = new Map((await blame(repo, request)).map((one) => [one.line, one]));
    for (const hunk of removing) {
      const texts = hunk.lines.filter(({ kind }) => kind === 'delete');
      for (const [at, { text }] of texts.entries()) {
        const origin = blamed.get(hunk.old_start + at);
        if (origin && origin.time >= oldest) removed.push({ ...origin, path, text, hunk });
      }
    }
  }
  return removed;
}

const testsLast = ({ old_path }: FileDiff) => Number(isNonSource(old_path!));
