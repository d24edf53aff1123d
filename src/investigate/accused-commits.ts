import type { ErrorKind } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import { isReleaseCommit } from '#evolution/mechanical-commits.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { recalibrate } from './calibration.ts';
import type { ConfidenceEstimate } from './confidence.ts';
import type { FoundGuard } from './guard/find-guard.ts';
import type { RenameHistory } from './history/renames.ts';
import type { LocatedPlace } from './locate/locate.ts';
import type { MessageOrigin } from './locate/message-origin.ts';
import type { PlacedFrame } from './locate/place-frames.ts';
import { deletesLine, type FailingLine, introducesFailure } from './suspects/introduced-failure.ts';
import type { RankedSuspect } from './suspects/rank-suspects.ts';
import type { Trace } from './trace/trace.ts';

/** Probability of the first suspect, given a defect, from which it counts as likely where earlier fixes are searched. */
export const MIN_CAUSE_CONFIDENCE = 0.65;
/** Probability that the project is at fault times that of the suspect, from which it is accused; see `bench/results/errors.md`. */
const MIN_ACCUSATION_PROBABILITY = 0.7;
/** Added to the log odds of that product where it is stated: on errors that were new to the program, it was too high by as much. */
const STATED_OFFSET = -0.7;
/** A commit is recent while it has as many newer commits or days at most: what has worked longer rarely fails for it. */
const MAX_NEWER_COMMITS = 200;
const MAX_RECENT_DAYS = 30;
const DAY = 86_400;
/** Probability of a commit itself from which it is listed behind an accused one, and listed as related where none is accused. */
const MIN_SHOWN_PROBABILITY = 0.25;
const MIN_RELATED_PROBABILITY = 0.45;
const MAX_ACCUSED = 3;
/** Share of the message that a literal covers, so that its line raised it. */
const MIN_ORIGIN_SHARE = 0.5;
/** A string in code. */
const LITERAL = /(["'`])((?:(?!\1).){8,})\1/;

interface AccusationInput {
  trace: Trace;
  kind: ErrorKind;
  suspects: readonly RankedSuspect[];
  confidence: ConfidenceEstimate;
  causeConfidence: number;
  /** Probability that the project is at fault. */
  faultProbability: number;
  guard: FoundGuard | null;
  guardCommit: number | null;
  places: readonly LocatedPlace[];
  frames: readonly PlacedFrame[];
  origins: readonly MessageOrigin[];
  renames: RenameHistory;
  /** Diffs of the suspects, by hash. */
  diffs: ReadonlyMap<string, readonly FileDiff[]>;
  /** True when the failing line changed since the version that failed. */
  isChanged: boolean;
  /** True when a caller's own code failed, so that nothing names what failed in the project. */
  isInCaller: boolean;
  /** True when the project's own code does not compile, or fails while it is imported: its author would have met that. */
  failsToLoad: boolean;
  index: RepositoryIndex;
}

/** Suspects of an answer by the strength of the claim: at most one of the lists has entries. */
export interface AccusedCommits {
  /** Commits that the answer accuses: of a defect only, and only above the threshold. */
  accused: RankedSuspect[];
  /** Commits that changed the place of a defect, none of which is accused. */
  related: RankedSuspect[];
  /** The case against the first suspect, whatever the kind of the error. */
  accusation: Accusation;
}

/** The case against the first suspect. */
interface Accusation {
  /** The first suspect, and those behind it that are likely enough; empty where the first cannot be the cause. */
  suspects: RankedSuspect[];
  /** True where the first suspect introduced what failed, rather than changed its line. */
  isIntroduced: boolean;
}

/**
 * Divides the suspects by their probability and by what they changed. A commit is accused where it introduced what failed, is recent, and
 * left code that its author could load; that it changed the place is a relation only. Never accused are the commit that added or last
 * changed a guard, a release, and a commit that left the file alone in which a frame says that the program failed.
 */
export function divideSuspects(input: AccusationInput): AccusedCommits {
  const { kind, suspects, confidence, causeConfidence, faultProbability, isChanged } = input;
  const [first] = suspects;
  const probability = ({ score }: RankedSuspect) => (causeConfidence * score) / first!.score;
  const listed = suspects
    .filter((one) => canBeCause(one, input) && changedFailingFile(one, input))
    .slice(0, MAX_ACCUSED);
  const likely = listed.filter((one) => probability(one) >= MIN_SHOWN_PROBABILITY);
  const accusation = {
    suspects: likely[0] === first ? likely : [],
    isIntroduced: first !== undefined && causedFailure(first, input),
  };
  if (kind !== 'regression' || isChanged || confidence.abstained)
    return { accused: [], related: [], accusation };
  const isProbable = causeConfidence * faultProbability >= MIN_ACCUSATION_PROBABILITY && !input.failsToLoad;
  const isAccused = isProbable && accusation.isIntroduced && accusation.suspects.length > 0;
  if (isAccused && isRecent(first!, input)) return { accused: accusation.suspects, related: [], accusation };
  const related = listed.filter((one) => probability(one) >= MIN_RELATED_PROBABILITY);
  return { accused: [], related, accusation };
}

/** Probability that an accusation is right, as measured on errors that were new to the program. */
export function accusationProbability(causeConfidence: number, faultProbability: number): number {
  return recalibrate(causeConfidence * faultProbability, STATED_OFFSET);
}

/** Commits are numbered from the newest one, from which their ages count as well. */
function isRecent({ commit }: RankedSuspect, { index: { commits } }: AccusationInput): boolean {
  const days = (commits.time(0) - commits.time(commit)) / DAY;
  return commit <= MAX_NEWER_COMMITS || days <= MAX_RECENT_DAYS;
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

/**
 * True when a commit introduced what failed on the innermost line of the project, or the message of an error without one; true for
 * a report that names neither, unless a caller's own code failed. That a line changed last in a commit is no evidence against it:
 * what fails there may be older.
 */
function causedFailure({ commit, blame }: RankedSuspect, input: AccusationInput): boolean {
  const { frames, origins, trace, index, diffs } = input;
  const failing = frames.find(({ depth, line }) => depth >= 0 && line !== null) ?? raisingLine(origins);
  if (!failing) return !input.isInCaller;
  if (blame && blame.path !== failing.path) return false;
  const files = diffs.get(index.commits.oid(commit)) ?? [];
  const [own, others] = divideByPath(files, failing.path, input);
  const isOlder = restoresOlderCode(commit, index) || deletesLine(others, failing);
  const hunks = own.flatMap((file) => file.hunks);
  return introducesFailure(hunks, { ...failing, isOlder }, trace);
}

/** True for a revert of anything but a fix: what it restored failed before as well. */
function restoresOlderCode(commit: number, index: RepositoryIndex): boolean {
  const { commits } = index;
  const reverted = revertedCommits(commits.message(commit)).map((hash) => commits.find(hash));
  return reverted.length > 0 && !reverted.some((one) => one >= 0 && isFixCommit(index, one));
}

/** The line that words the message; undefined where no literal covers most of it. */
function raisingLine([origin]: readonly MessageOrigin[]): FailingLine | undefined {
  if (!origin || origin.share < MIN_ORIGIN_SHARE) return undefined;
  const quote = origin.quote.split('\n')[0]!;
  return { path: origin.path, depth: 0, quote, frame: {}, literal: LITERAL.exec(quote)?.[2] };
}

/** Divides the files of a commit into one, under its present or an earlier path, and the others. */
function divideByPath(
  files: readonly FileDiff[],
  path: string,
  { renames }: AccusationInput,
): [FileDiff[], FileDiff[]] {
  const paths = [path, ...renames.allPaths(path)];
  const isOwn = ({ new_path, old_path }: FileDiff) =>
    paths.includes(new_path ?? '') || paths.includes(old_path ?? '');
  return [files.filter(isOwn), files.filter((file) => !isOwn(file))];
}
