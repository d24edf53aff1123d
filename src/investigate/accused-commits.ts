import type { ErrorKind } from '#contract/debug.ts';
import { isReleaseCommit } from '#evolution/mechanical-commits.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ConfidenceEstimate } from './confidence.ts';
import type { FoundGuard } from './guard/find-guard.ts';
import type { LocatedPlace } from './locate/locate.ts';
import type { RankedSuspect } from './suspects/rank-suspects.ts';

/**
 * Probability from which the first suspect is accused. Left out by repository, the culprit is among the first three for 33 of
 * 34 reports, and for 10 of 12 traces of `bench/errors`.
 */
const MIN_CAUSE_CONFIDENCE = 0.6;
/** Probability from which the best suspects are listed as related, without an accusation. */
const MIN_RELATED_CONFIDENCE = 0.3;
/** Suspects below this share of the first one's probability are not listed. */
const MIN_RELATIVE_SCORE = 0.2;
const MAX_ACCUSED = 3;

interface AccusationInput {
  kind: ErrorKind;
  suspects: readonly RankedSuspect[];
  confidence: ConfidenceEstimate;
  causeConfidence: number;
  guard: FoundGuard | null;
  guardCommit: number | null;
  places: readonly LocatedPlace[];
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
  const { kind, suspects, confidence, causeConfidence } = input;
  const [first] = suspects;
  if (kind !== 'defect' || confidence.abstained || !first) return { accused: [], related: [] };
  const listed = suspects
    .filter((one) => one.score >= MIN_RELATIVE_SCORE * first.score && canBeCause(one, input))
    .slice(0, MAX_ACCUSED);
  const isAccused = causeConfidence >= MIN_CAUSE_CONFIDENCE && changedFailingFile(first, input);
  if (isAccused && listed[0] === first) return { accused: listed, related: [] };
  return { accused: [], related: causeConfidence >= MIN_RELATED_CONFIDENCE ? listed : [] };
}

function canBeCause({ commit }: RankedSuspect, { guard, guardCommit, index }: AccusationInput): boolean {
  const isContext = guard !== null && !guard.isInvariant && commit === guardCommit;
  return !isContext && !isReleaseCommit(index, commit);
}

/** True when a commit changed the file of the innermost frame, under its present or an earlier path; true without a frame. */
function changedFailingFile(
  suspect: RankedSuspect,
  { places, index: { commits } }: AccusationInput,
): boolean {
  const [place] = places;
  if (place?.source !== 'frame') return true;
  if (suspect.blame?.path === place.path || suspect.path === place.path) return true;
  const number = commits.pathNumber(place.path);
  return number >= 0 && commits.paths(suspect.commit).includes(number);
}
