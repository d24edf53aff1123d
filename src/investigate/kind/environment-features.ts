import type { EnvironmentFact } from '#contract/debug.ts';
import type { EnvironmentReport } from '../environment/compare-environment.ts';
import type { EnvironmentFault } from '../environment/environment-facts.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { Frame, Trace } from '../trace/trace.ts';

/** Signs that the machine or its set-up is at fault, 0 or 1. */
export interface EnvironmentFeatures {
  /** The error names a fault of the machine: a port, a full disk, a refused connection, a right, an encoding. */
  machine: number;
  /** A module, library or program is missing or of another version. */
  module: number;
  /** A file is missing that is not the caller's own to provide. */
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
  /** Code of the project does not compile, or fails while it is imported: its author has met no such failure. */
  failsToLoad: number;
}

/** Facts that no caller passes and no code computes. */
const MACHINE = new Set<EnvironmentFact['fact']>([
  ...(['port', 'disk', 'memory', 'permission', 'runtime', 'platform', 'encoding', 'network'] as const),
]);
/** Names in a guard that asks for a part of the machine: an import error, or a module, a library, an extension, a program. */
const REQUIRED_PART =
  /^module '|\bnot installed\b|\bunavailable\b|\b(?:command|sh: (?:\d+: )?\S{1,60}:|executable file) not found\b|^(?:ImportError|ModuleNotFoundError|LoadError):|\b(?:librar(?:y|ies)|extensions?|drivers?|executable|binary|compiler|interpreter|php\.ini|ini (?:setting|directive|option))\b|\b(?:status|code)[ (:]{1,2}127\b/i;

interface FeatureInput {
  guard: FoundGuard | null;
  owners: readonly FrameOwner[];
  trace: Trace;
  frames: readonly PlacedFrame[];
}

/** Measures the signs for a fault of the environment. */
export function measureEnvironmentFeatures(
  { fault, outdated }: EnvironmentReport,
  { guard, owners, trace, frames }: FeatureInput,
): EnvironmentFeatures {
  const isGuarded = guard !== null && fault !== null;
  const isAbsence = fault?.fact === 'module' || fault?.fact === 'file';
  const isPart = fault !== null && REQUIRED_PART.test(fault.found);
  return {
    machine: Number(fault !== null && MACHINE.has(fault.fact)),
    module: Number(fault?.fact === 'module'),
    file: Number(fault?.fact === 'file' && !namesFileOfCaller(fault, trace, owners)),
    outdated: Number(outdated !== null),
    guarded: Number(isGuarded),
    guardedAbsence: Number(isGuarded && isAbsence && !isPart),
    guardedPart: Number(isGuarded && isPart),
    passedOn: Number(fault !== null && /^(?:dependency|runtime)$/.test(owners[0] ?? '')),
    failsToLoad: Number(fault === null && failsToLoad(trace, owners, frames)),
  };
}

/** An error of a compiler behind its file: javac, C, TypeScript, Go. */
const COMPILER_ERROR =
  /^[^:(]{0,300}(?::\d+(?::\d+)?: (?:fatal )?error: |\(\d+,\d+\): error TS|\.go:\d+:\d+: \w)/;
/** A line that loads another file. */
const IMPORT =
  /^\s*(?:from\s+\S+\s+import\b|import\s|(?:(?:local|const|let|var)\s[^=]{1,80}=\s*)?require(?:_relative)?\b)/;

/** True where a compiler rejects the project's own code, or its innermost line runs when another file of the project imports it. */
function failsToLoad(trace: Trace, owners: readonly FrameOwner[], frames: readonly PlacedFrame[]): boolean {
  const own = frames.filter(({ depth, line }) => line !== null && owners[depth] === 'project');
  const [failing, caller] = own;
  if (!failing) return false;
  const { path } = failing.frame;
  const isRejected = trace.lines.some((line) => line.startsWith(path) && COMPILER_ERROR.test(line));
  return isRejected || (caller !== undefined && caller.path !== failing.path && IMPORT.test(caller.quote));
}

/** True for a missing file that the caller was to provide. */
export function namesFileOfCaller(
  fault: EnvironmentFault | null,
  trace: Trace,
  owners: readonly FrameOwner[],
): boolean {
  return fault?.fact === 'file' && isFileOfCaller(missingFile(fault, trace), trace.frames, owners);
}

/** The line that tells the missing file. */
function missingFile({ found }: EnvironmentFault, { message, lines }: Trace): string {
  return [message, ...lines].find((line) => line.includes(found.slice(0, MIN_COMMON_LENGTH))) ?? found;
}
const MIN_COMMON_LENGTH = 40;

/** The path of an error about a missing file, behind or before what is said about it. */
const MISSING_PATH = [
  /no such file or directory(?:, \w+| @ \w+ -|:) ?['"`]?([^\s'"`]{0,300})['"`]?(?:: E[A-Z]+)?$/i,
  /\w\(([^\s()]{0,300})\): failed to open stream: no such file/i,
  /(?:^|[\s'"`])([^\s'"`]{0,300})['"`]?: no such file or directory/i,
  /(?:^|[\s'"`])([^\s'"`]{1,300})['"`]?\s*$/,
];

/** True for a file in the folder of a caller's code, and for an empty or relative path: the machine's own files have absolute ones. */
function isFileOfCaller(text: string, frames: readonly Frame[], owners: readonly FrameOwner[]): boolean {
  const path = MISSING_PATH.map((pattern) => pattern.exec(text)?.[1])
    .find((found) => found !== undefined)
    ?.replaceAll('\\', '/');
  if (path === '') return true;
  if (!path || !/[./]/.test(path)) return false;
  if (!/^(?:\/|[A-Za-z]:\/|~)/.test(path)) return true;
  const outside = frames.filter((_, at) => owners[at] === 'outside');
  const folders = outside.map((frame) => frame.path.slice(0, frame.path.lastIndexOf('/') + 1));
  return folders.some((folder) => folder.split('/').length > MIN_FOLDERS && path.startsWith(folder));
}

/** A folder above belongs to no program in particular: `/home/`, `/srv/`. */
const MIN_FOLDERS = 3;
