import { isNonSource } from '#evolution/fixes.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { RankedSuspect } from './rank-suspects.ts';
import { suspectsSince } from './suspects-since.ts';

/** Probability that none of the suspects broke a test. */
const UNKNOWN_SHARE = 0.02;

interface FailedLines {
  frames: readonly PlacedFrame[];
  blamed: ReadonlyMap<number, BlamedCommit>;
}

/**
 * Leaves out what the commit contains that wrote the failing line of a test of the project itself: the test passed then, so that a later
 * commit broke it. The others have their probabilities among themselves. All suspects remain where the innermost frame of the project is in no
 * test.
 */
export function suspectsAfterTest(
  suspects: RankedSuspect[],
  failed: FailedLines,
  commits: CommitTable,
): RankedSuspect[] {
  const tested = commitOfTest(failed);
  if (tested === null) return suspects;
  const later = suspectsSince(suspects, commits.oid(tested), commits);
  const total = later.reduce((sum, { score }) => sum + score, UNKNOWN_SHARE);
  return later.map((suspect) => ({ ...suspect, score: suspect.score / total }));
}

/** The commit that wrote the failing line of a test; null for other lines. */
function commitOfTest({ frames, blamed }: FailedLines): number | null {
  const failing = frames.find(({ depth, line }) => depth >= 0 && line !== null);
  if (!failing || !isNonSource(failing.path)) return null;
  for (const [commit, { path, line, isExactLine }] of blamed)
    if (isExactLine && path === failing.path && line === failing.line) return commit;
  return null;
}
