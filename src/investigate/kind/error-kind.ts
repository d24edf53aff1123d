import type { ErrorKind } from '#contract/debug.ts';
import type { EnvironmentReport } from '../environment/compare-environment.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { CallerEvidence } from './caller-evidence.ts';
import { isForeign, type ProjectMatch } from './match-project.ts';

/** Probability from which an error is a fault of the project, although a guard may have raised it. */
const MIN_FAULT_PROBABILITY = 0.5;

/** Recency from which a change of the project may explain why code that it calls back has failed. */
const MIN_RECENCY = 0.5;

interface KindInput {
  match: ProjectMatch;
  environment: EnvironmentReport;
  guard: FoundGuard | null;
  caller: CallerEvidence;
  owners: FrameOwner[];
  /** True when the evidence names no place. */
  isUnlocated: boolean;
}

/** Decides the kind of an error from its evidence, the most certain kinds first. */
export function decideKind({ match, environment, guard, caller, owners, isUnlocated }: KindInput): ErrorKind {
  const isOutside = owners.some((owner) => owner === 'outside' || owner === 'dependency');
  if (isForeign(match)) {
    // The machine failed under the runtime alone, so that every program in its language may print this.
    const isRuntimeOnly = environment.fault !== null && owners.length > 0 && !isOutside && match.hasLanguage;
    return isRuntimeOnly ? 'environment' : 'unclear';
  }
  if (environment.outdated || isEnvironment(environment, guard)) return 'environment';
  const isFault = caller.faultProbability >= MIN_FAULT_PROBABILITY && !hasFailedOutside(caller);
  if (guard && !guard.isInvariant) return isFault ? 'defect' : 'raised_on_purpose';
  if (isUnlocated) return 'unclear';
  // A report in words tells what the project does; only a trace shows a misuse.
  const isReport = owners.every((owner) => owner === 'mention');
  return isFault || isReport ? 'defect' : 'caller';
}

/**
 * True when code outside the repository failed, which the project had called back: the project is suspected only where it has
 * changed of late, or is said to have worked before.
 */
function hasFailedOutside({ failedAt, features }: CallerEvidence): boolean {
  const { workedBefore, recency, frameRecency } = features;
  return failedAt !== null && workedBefore === 0 && Math.max(recency, frameRecency) < MIN_RECENCY;
}

/** Faults of the environment that a guard of the project may report in its own words. */
const REPORTED_FAULTS = new Set([
  ...['port', 'disk', 'memory', 'permission', 'runtime', 'platform', 'encoding', 'network'],
]);

/** A guard that asks for an optional dependency. */
const IMPORT_ERROR = /^(?:ImportError|ModuleNotFoundError|LoadError):/;

function isEnvironment({ fault }: EnvironmentReport, guard: FoundGuard | null): boolean {
  if (!fault) return false;
  return guard === null || REPORTED_FAULTS.has(fault.fact) || IMPORT_ERROR.test(fault.found);
}
