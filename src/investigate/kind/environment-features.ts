import type { EnvironmentFact } from '#contract/debug.ts';
import type { EnvironmentReport } from '../environment/compare-environment.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';

/** Signs that the machine or its set-up is at fault, 0 or 1. */
export interface EnvironmentFeatures {
  /** The error names a fault of the machine: a port, a full disk, a refused connection, a right, an encoding. */
  machine: number;
  /** A module, library or program is missing or of another version. */
  module: number;
  /** A file is missing. */
  file: number;
  /** The runtime is older than the project requires, and the error is of a kind that this explains. */
  outdated: number;
  /** A statement of the project raised the error, in its own words. */
  guarded: number;
  /** A missing module or file that the project reports in its own words. */
  guardedAbsence: number;
  /** The same for an optional dependency, a library, an extension or a program that the project asks for. */
  guardedPart: number;
  /** Code of others or the runtime failed inside the failing line. */
  passedOn: number;
}

/** Facts that no caller passes and no code computes. */
const MACHINE = new Set<EnvironmentFact['fact']>([
  ...(['port', 'disk', 'memory', 'permission', 'runtime', 'platform', 'encoding', 'network'] as const),
]);
/** Names in a guard that asks for a part of the machine: an import error, or a library, an extension, a program. */
const REQUIRED_PART =
  /^(?:ImportError|ModuleNotFoundError|LoadError):|\b(?:library|extension|driver|executable|binary|compiler|interpreter|php\.ini|ini (?:setting|directive|option))\b|\b(?:status|code)[ (:]{1,2}127\b/i;

/** Measures the signs for a fault of the environment. */
export function measureEnvironmentFeatures(
  { fault, outdated }: EnvironmentReport,
  { guard, owners }: { guard: FoundGuard | null; owners: readonly FrameOwner[] },
): EnvironmentFeatures {
  const isGuarded = guard !== null && fault !== null;
  const isAbsence = fault?.fact === 'module' || fault?.fact === 'file';
  const isPart = fault !== null && REQUIRED_PART.test(fault.found);
  return {
    machine: Number(fault !== null && MACHINE.has(fault.fact)),
    module: Number(fault?.fact === 'module'),
    file: Number(fault?.fact === 'file'),
    outdated: Number(outdated !== null),
    guarded: Number(isGuarded),
    guardedAbsence: Number(isGuarded && isAbsence && !isPart),
    guardedPart: Number(isGuarded && isPart),
    passedOn: Number(fault !== null && /^(?:dependency|runtime)$/.test(owners[0] ?? '')),
  };
}
