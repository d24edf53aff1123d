import type { ErrorKind } from '#contract/debug.ts';
import { isReleaseCommit } from '#evolution/mechanical-commits.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ConfidenceEstimate } from './confidence.ts';
import type { FoundGuard } from './guard/find-guard.ts';
import type { RenameHistory } from './history/renames.ts';
import type { LocatedPlace } from './locate/locate.ts';
import type { PlacedFrame } from './locate/place-frames.ts';
import type { RankedSuspect } from './suspects/rank-suspects.ts';
import { rewritesAccess } from './suspects/rewritten-access.ts';
import type { Trace } from './trace/trace.ts';

/** Probability from which the first suspect is accused; see `bench/results/confidence.md` and `bench/results/errors.md`. */
const MIN_CAUSE_CONFIDENCE = 0.6;
/** Probability of a commit itself from which it is listed behind an accused one, and listed as related where none is accused. */
const MIN_SHOWN_PROBABILITY = 0.25;
const MIN_RELATED_PROBABILITY = 0.45;
const MAX_ACCUSED = 3;

interface AccusationInput {
  trace: Pick<Trace, 'message'>;
  kind: ErrorKind;
  suspects: readonly RankedSuspect[];
  confidence: ConfidenceEstimate;
  causeConfidence: number;
  guard: FoundGuard | null;
  guardCommit: number | null;
  places: readonly LocatedPlace[];
  frames: readonly PlacedFrame[];
  renames: RenameHistory;
  /** True when the failing line changed since the version that failed. */
  isChanged: boolean;
  index: RepositoryIndex;
}

/** Suspects of an answer by the strength of the claim: at most one of the lists has entries. */
export interface AccusedCommits {
  /** Commits that the answer accuses: of a defect only, and only above the threshold. */
  accused: RankedSuspect[];
  /** Commits that changed the place of a defect, none of which is accused. */
  related: RankedSuspect[];
}

/**
 * Divides the suspects by their probability. The commit that added or last changed a guard is context and never accused,
 * nor is a release, nor a commit that left the file alone in which a frame says that the program failed.
 */
export function divideSuspects(input: AccusationInput): AccusedCommits {
  const { kind, suspects, confidence, causeConfidence, isChanged } = input;
  const [first] = suspects;
  if (kind !== 'regression' || isChanged || confidence.abstained || !first)
    return { accused: [], related: [] };
  const probability = ({ score }: RankedSuspect) => (causeConfidence * score) / first.score;
  const listed = suspects
    .filter((one) => canBeCause(one, input) && changedFailingFile(one, input))
    .slice(0, MAX_ACCUSED);
  if (causeConfidence >= MIN_CAUSE_CONFIDENCE && listed[0] === first && changedFailure(first, input))
    return { accused: listed.filter((one) => probability(one) >= MIN_SHOWN_PROBABILITY), related: [] };
  return { accused: [], related: listed.filter((one) => probability(one) >= MIN_RELATED_PROBABILITY) };
}

function canBeCause({ commit }: RankedSuspect, { guard, guardCommit, index }: AccusationInput): boolean {
  const isContext = guard !== null && !guard.isInvariant && commit === guardCommit;
  return !isContext && !isReleaseCommit(index, commit);
}

/** True when a commit changed the file of the innermost frame, under its present or an earlier path; true without a frame that fits. */
function changedFailingFile(
  { commit, blame }: RankedSuspect,
  { places, frames, renames, index: { commits } }: AccusationInput,
): boolean {
  const [place] = places;
  const fits = ({ path, line, range }: PlacedFrame) => path === place?.path && line !== null && !range;
  if (!place || !frames.some(fits)) return true;
  if (blame?.path === place.path) return true;
  const changed = new Set(commits.paths(commit));
  return renames.allPaths(place.path).some((path) => changed.has(commits.pathNumber(path)));
}

/** False for a commit whose change is blamed outside the innermost file of the project, or that only rewrote the failing line. */
function changedFailure({ blame, hunk }: RankedSuspect, { frames, trace }: AccusationInput): boolean {
  const failing = frames.find(({ depth, line }) => depth >= 0 && line !== null);
  if (!failing) return true;
  if (blame && blame.path !== failing.path) return false;
  return !(blame?.isExactLine && hunk && rewritesAccess(hunk, failing.quote, trace.message));
}
