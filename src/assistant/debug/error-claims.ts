import type { DebugAnswer, EnvironmentFact } from '#contract/debug.ts';
import type { ChangedSince, Guard } from '#contract/error-findings.ts';
import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { commitRef } from '../answer/commit-ref.ts';

/** Probability of a fault that the operating system or the runtime reports in its own words. */
const ENVIRONMENT_CONFIDENCE = 0.9;
/** Highest confidence of an answer that claims nothing. */
const MAX_UNCLEAR_CONFIDENCE = 0.4;

/** Claims of an answer: a field that is null or empty is not claimed. */
type ErrorClaims = Pick<
  DebugAnswer,
  | ('confidence' | 'abstained' | 'kind' | 'place_confidence' | 'cause_confidence')
  | ('guard' | 'changed_since' | 'environment')
>;

/** True when the answer states where the error is. */
export function isPlaceStated({ kind, places, confidence }: Investigation): boolean {
  return kind !== 'vague' && kind !== 'foreign' && places.length > 0 && !confidence.abstained;
}

/** Derives what an answer claims, each claim with its own probability, and the headline's as `confidence`. */
export function deriveClaims(found: Investigation, index: RepositoryIndex): ErrorClaims {
  const { kind, confidence, causeConfidence, explanations, accused, changed } = found;
  const place = isPlaceStated(found) ? confidence.value : null;
  const cause = accused.length > 0 ? causeConfidence : null;
  const headline = {
    // A changed line has no measured probability of its own (six cases); the place has.
    regression: changed ? confidence.value : (cause ?? place ?? 0),
    guard: confidence.value,
    usage: Math.min(place ?? 1, explanations.intended),
    environment: ENVIRONMENT_CONFIDENCE,
    foreign: Math.min(MAX_UNCLEAR_CONFIDENCE, confidence.value),
    vague: Math.min(MAX_UNCLEAR_CONFIDENCE, confidence.value),
  }[kind];
  return {
    kind,
    confidence: round(headline),
    abstained: kind === 'vague' || kind === 'foreign',
    place_confidence: place === null ? null : round(place),
    cause_confidence: cause === null ? null : round(cause),
    guard: toGuard(found, index),
    changed_since: toChangedSince(found, index),
    environment: listEnvironment(found),
  };
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

function toChangedSince({ changed }: Investigation, index: RepositoryIndex): ChangedSince | null {
  return changed && { ...changed, commit: commitRef(index, changed.commit) };
}

/** Facts of the environment; of an error that names none, only a runtime that is older than required. */
function listEnvironment({ kind, environment }: Investigation): EnvironmentFact[] {
  if (kind === 'environment') return environment.facts;
  return environment.outdated ? [environment.outdated] : [];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
