import type { DebugAnswer, EnvironmentFact } from '#contract/debug.ts';
import type { ChangedSince, Guard } from '#contract/error-findings.ts';
import { accusationProbability } from '#investigate/accused-commits.ts';
import type { ChangedLine } from '#investigate/changed/find-changed-line.ts';
import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { commitRef } from '../answer/commit-ref.ts';

/** Claims of an answer: a field that is null or empty is not claimed. */
type ErrorClaims = Pick<
  DebugAnswer,
  | ('confidence' | 'kind' | 'alternative' | 'place_confidence' | 'cause_confidence')
  | ('guard' | 'changed_since' | 'environment')
>;

/** Share of the reports in words that are a defect where they are called one; see `bench/results/errors.md`. */
const MAX_REPORT_CONFIDENCE = 0.77;

/** Probability from which another kind is stated beside the likeliest. */
const MIN_ALTERNATIVE = 0.25;

/** True when the answer states where the error is. */
export function isPlaceStated({ kind, places, confidence }: Investigation): boolean {
  return kind !== 'vague' && kind !== 'foreign' && places.length > 0 && !confidence.abstained;
}

/**
 * Derives what an answer claims, each claim with its own probability, and the headline's as `confidence`: that the error is of this
 * kind and at this place, or that the accused commit caused it; 0 where nothing is claimed.
 */
export function deriveClaims(found: Investigation, index: RepositoryIndex): ErrorClaims {
  const { kind, confidence, causeConfidence, explanations, accused, changed } = found;
  const place = isPlaceStated(found) ? confidence.value : null;
  // Of the commit and of a defect at all.
  const cause = accused.length > 0 ? accusationProbability(causeConfidence, explanations.fault) : null;
  const stated = place ?? 1;
  const isCallers = found.match.callerFailure !== null;
  // A report in words tells what the project does, which the signs of a trace do not judge.
  const defect =
    found.kindEvidence.isReport && !isCallers
      ? Math.min(stated, MAX_REPORT_CONFIDENCE)
      : Math.min(stated, explanations.fault);
  // A caller's own code tells that a result is wrong without telling where.
  const isClaimed = place !== null || isCallers;
  const headline = {
    // A changed line has no measured probability of its own (six cases); the place has.
    regression: changed ? confidence.value : (cause ?? (isClaimed ? defect : 0)),
    guard: Math.min(stated, explanations.intended),
    usage: Math.min(stated, explanations.intended),
    environment: explanations.environment,
    ...{ foreign: 0, vague: 0 },
  }[kind];
  return {
    kind,
    confidence: round(headline),
    alternative: findAlternative(found),
    place_confidence: place === null ? null : round(place),
    cause_confidence: cause === null ? null : round(cause),
    guard: toGuard(found, index),
    changed_since: changed && toChangedLine(changed, index),
    environment: listEnvironment(found),
  };
}

/** The next likely explanation; null below the threshold, and where something other than the explanations decided. */
function findAlternative({
  kind,
  explanations: { fault, environment, intended },
  changed,
  match,
  kindEvidence: { isReport, isGuarded },
}: Investigation): ErrorClaims['alternative'] {
  if (changed || isReport || match.callerFailure !== null) return null;
  const [likeliest, next] = [
    { kind: 'regression' as const, confidence: fault },
    { kind: 'environment' as const, confidence: environment },
    { kind: isGuarded ? ('guard' as const) : ('usage' as const), confidence: intended },
  ].sort((a, b) => b.confidence - a.confidence);
  if (likeliest!.kind !== kind || next!.confidence < MIN_ALTERNATIVE) return null;
  return { kind: next!.kind, confidence: round(next!.confidence) };
}

function toGuard({ kind, guard, guardCommit, trace }: Investigation, index: RepositoryIndex): Guard | null {
  if (!guard || (kind !== 'guard' && kind !== 'environment')) return null;
  const { path, start, end, condition, caller } = guard;
  return {
    ...{ path, start_line: start, end_line: end, condition, message: trace.message },
    commit: guardCommit === null ? null : commitRef(index, guardCommit),
    caller: caller && {
      path: caller.frame.path,
      line: caller.frame.line,
      text: caller.frame.text ?? '',
      in_repository: caller.isInRepository,
    },
  };
}

/** Converts a change of the failing line to its form in the API. */
export function toChangedLine(change: ChangedLine, index: RepositoryIndex): ChangedSince {
  return { ...change, commit: commitRef(index, change.commit) };
}

/** Facts of the environment; of an error that names none, only a runtime that is older than required. */
function listEnvironment({ kind, environment }: Investigation): EnvironmentFact[] {
  if (kind === 'environment') return environment.facts;
  return environment.outdated ? [environment.outdated] : [];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
