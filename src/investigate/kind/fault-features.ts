import { posix } from 'node:path';
import { isNonSource } from '#evolution/fixes.ts';
import { isReleaseCommit } from '#evolution/mechanical-commits.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { EnvironmentReport } from '../environment/compare-environment.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RankedSuspect } from '../suspects/rank-suspects.ts';
import { anyOf } from '../trace/any-of.ts';
import { failsInBuiltIn } from '../trace/built-in-failure.ts';
import { RECURSION } from '../trace/recursion.ts';
import type { Trace, TraceLanguage } from '../trace/trace.ts';
import { namesFileOfCaller } from './environment-features.ts';
import {
  CALLED_IN,
  COMPUTING_WARNING,
  CONCRETE_VALUE,
  GENERATED,
  IMPOSSIBLE_VALUE,
  INTERNAL_TYPE,
  PRINTED_ERROR,
  PRINTED_POSITION,
  REFLECTION,
  WORKED_BEFORE,
  WRONG_ARGUMENTS,
} from './error-patterns.ts';
import { sourceOfValue, usesParameter } from './function-parameters.ts';
import type { ProjectMatch } from './match-project.ts';
import { namesRelease, type ReporterWords } from './reporter-words.ts';

/** Signs for and against a fault of the project, each from 0 to 1. */
export interface FaultFeatures {
  /** A guard of the project raised the error. */
  guard: number;
  /** Frames outside the repository call in. */
  outside: number;
  /** Code outside the repository failed, called back by the project. */
  failedOutside: number;
  /** No frame is outside, and the project is no installed package or starts at an executable: it is the program itself. */
  program: number;
  /** Frames of the project between the failing line and the code that called in: one is 0, seven are 1. */
  depth: number;
  /** Share of these frames whose line uses a parameter of its function: a value of the caller's may have come down. */
  passedDown: number;
  /** A dependency or the runtime failed inside the failing line: it may have rejected a value that the project passed on. */
  passedOn: number;
  /** The project defines the class of the error, so that it is raised on purpose. */
  ownError: number;
  /** An error of computing rather than of arguments: a missing key, an index out of bounds, an unbound variable. */
  internalType: number;
  /** A number that only a computation yields, in the words of the runtime: a negative index, a division by zero, an overflow. */
  impossibleValue: number;
  /** The absent value is one that the function computed, which cannot come from a caller. */
  localValue: number;
  /** The absent value belongs to the function's own object, which the caller may have set up or bound wrongly. */
  ownState: number;
  /** The same in a language in which a method has no other object than its own. */
  ownField: number;
  /** The message names a type or value that the caller chose. */
  concreteValue: number;
  /** The project calls a function of its own with the wrong arguments. */
  ownCallee: number;
  /** The project composed code that does not parse or names nothing. */
  generated: number;
  /** The project reflects on a value of a kind that it did not expect. */
  reflection: number;
  /** The runtime warned of a computation of the project before. */
  warned: number;
  /** The project calls itself without end. */
  recursion: number;
  /** A test of the project itself failed. */
  ownTest: number;
  /** Recency of the last change of the failing line, or of a first suspect in its place. */
  recency: number;
  /** The report says that it worked before, or names another release. */
  workedBefore: number;
  /** The reporter says something beside the output, other than a question or a change of their own: a user who knows nothing more pastes the output alone. */
  claims: number;
  /** The reporter asks for help. */
  asked: number;
  /** The reporter changed something of their own before. */
  ownChange: number;
  /** A program without a trace prints an error by this name, how it is used, or a position in a file that it read, as programs do for what they were given. */
  printedError: number;
}

interface FaultInput {
  trace: Trace;
  /** The whole report. */
  text: string;
  words: ReporterWords;
  environment: EnvironmentReport;
  frames: PlacedFrame[];
  owners: FrameOwner[];
  sources: SourceReader;
  guard: FoundGuard | null;
  guardCommit: number | null;
  blamed: Map<number, BlamedCommit>;
  /** Best first. */
  suspects: RankedSuspect[];
  match: ProjectMatch;
  /** The project's own code does not compile, or fails while it is imported. */
  failsToLoad: boolean;
  index: RepositoryIndex;
}

/** Days and commits after which half of the suspicion against a change is gone. */
const HALF_LIFE_DAYS = 90;
const HALF_LIFE_COMMITS = 30;
/** Shares of all commits and of all days that bound the half-lives, since in a short history every commit is among the newest. */
const HALF_LIFE_SHARE = 0.03;
const HALF_LIFE_SHARE_OF_DAYS = 0.1;
/** Frames of the project that are read. */
const MAX_FRAMES = 7;

const EXECUTABLE = /(?:^|\/)(?:s?bin|exe|cmd|cli)\/|(?:^|\/)(?:__main__|cli|main)\.\w+$/;
/** Measures the signs that the project itself is at fault rather than its caller. */
export async function measureFaultFeatures(input: FaultInput): Promise<FaultFeatures> {
  const { trace, owners, guard, words } = input;
  const { fault } = input.environment;
  const own = input.frames.filter(({ depth, line }) => line !== null && owners[depth] === 'project');
  const [failing] = own;
  const isOutside = (owner: FrameOwner) => owner === 'outside';
  const from = owners.indexOf('project');
  const outer = from < 0 ? -1 : owners.findIndex((owner, at) => at > from && isOutside(owner));
  const calls = owners.filter((owner, at) => owner === 'project' && (outer < 0 || at < outer)).length;
  const inner = own.filter(({ depth }) => outer < 0 || depth < outer);
  const before = owners.slice(0, Math.max(0, from));
  const isPassedOn =
    before.some((owner) => owner === 'dependency' || owner === 'runtime') || failsInBuiltIn(trace);
  const source =
    failing && sourceOfValue((await input.sources.lines(failing.path)) ?? [], failing.line!, trace.message);
  const message = `${trace.errorType}: ${trace.message}`;
  const failedOutside = before.some(isOutside);
  const isGuarded = guard !== null && !guard.isInvariant;
  // Java and .NET raise even an index out of bounds inside their own library.
  const isInCaller = failedOutside || input.match.callerFailure !== null;
  const isComputing = !isInCaller && (!isPassedOn || /^(?:java|csharp)$/.test(trace.language ?? ''));
  const isKeyChosen = isKeyOfCaller(input);
  const isChange = input.match.callerFailure === null && fault?.fact !== 'module' && !input.failsToLoad;
  const isRead = fault !== null && !OWN_FILE_OPERATION.test(fault.found);
  return {
    guard: Number(isGuarded),
    outside: Number(outer >= 0),
    failedOutside: Number(failedOutside),
    program: Number(outer < 0 && !failedOutside && !isCut(trace) && isProgram(own)),
    depth: Math.min(1, Math.max(0, calls - 1) / 6),
    passedDown: await shareUsingParameters(inner.slice(0, MAX_FRAMES), input.sources),
    passedOn: Number(isPassedOn),
    ownError: Number(input.match.definesError),
    internalType: Number(isComputing && !isKeyChosen && INTERNAL_TYPE.test(message)),
    impossibleValue: Number(!isGuarded && !failedOutside && IMPOSSIBLE_VALUE.test(message)),
    localValue: Number(source === 'local'),
    ownState: Number(source === 'state'),
    ownField: Number(source === 'state' && BOUND_METHODS.has(trace.language ?? 'c')),
    concreteValue: Number(
      isKeyChosen || CONCRETE_VALUE.test(message) || (isRead && namesFileOfCaller(fault, trace, owners)),
    ),
    ownCallee: Number(callsOwnFunctionWrongly(trace, input)),
    // A statement that says what does not parse reports its input, and an own class of error does as well.
    generated: Number(GENERATED.test(message) && !isGuarded && !input.match.definesError),
    reflection: Number(!isGuarded && !failedOutside && own.length > 0 && REFLECTION.test(trace.message)),
    // A fault of the machine has warnings of its own.
    warned: Number(fault === null && isWarned(input)),
    recursion: Number(!isGuarded && RECURSION.test(message) && owners.filter(isOutside).length <= 2),
    ownTest: Number(own.some(({ path }) => isNonSource(path))),
    // A caller's own failure names no line of the project, and neither an absent package nor what its author must have met is a change of it.
    recency: isChange ? recencyOf(failing, input) : 0,
    workedBefore: Number(WORKED_BEFORE.test(input.text) || namesRelease(input.text, trace.message)),
    ...words,
    printedError: Number(trace.frames.length === 0 && !isInCaller && isPrintedError(input)),
  };
}

function isPrintedError({ text, index: { code } }: FaultInput): boolean {
  if (PRINTED_ERROR.test(text)) return true;
  const file = PRINTED_POSITION.exec(text)?.[1];
  if (file === undefined || code === null) return false;
  const name = `/${posix.basename(file)}`;
  for (let one = 0; one < code.fileCount; one++) if (`/${code.filePath(one)}`.endsWith(name)) return false;
  return true;
}

/** Operations of a program on files of its own; others read what they are given. */
const OWN_FILE_OPERATION = /\b(?:lstat|unlink|rename|rmdir|mkdir|symlink|link|chmod|utime|copyfile)\b/i;

/** Languages in which a method is always called on an object of its class. */
const BOUND_METHODS = new Set<string>(['java', 'csharp', 'ruby', 'php', 'rust'] satisfies TraceLanguage[]);

/** A missing key or name, in the words of the runtimes; the groups are the key. */
const ABSENT_KEY = anyOf(
  '',
  /^KeyError: (?:b?['"]([^'"\n]{3,60})['"])\s*$/,
  /\bkey not found: :?"?([\w.-]{3,60})"?/,
  /Undefined (?:array key|index):? "?([\w.-]{3,60})"?/,
  /The given key '([^'\n]{3,60})' was not present/,
);

/** True when a missing key is a literal in the code of the caller, as far as the trace prints it. */
function isKeyOfCaller({ trace: { errorType, message, frames }, owners }: FaultInput): boolean {
  const key = ABSENT_KEY.exec(`${errorType}: ${message}`)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (key === undefined) return false;
  const quoted = [`'${key}'`, `"${key}"`];
  return frames.some(
    ({ text }, at) => owners[at] === 'outside' && quoted.some((word) => text?.includes(word)),
  );
}

/** True when a warning about a computation names a file of the project. */
function isWarned({ text, frames }: FaultInput): boolean {
  const warned = Array.from(text.matchAll(COMPUTING_WARNING), ([, path]) => path!);
  return frames.some(({ frame }) => warned.includes(frame.path));
}

/** Default length of a stack trace in JavaScript: a trace as long may lack the code that called in. */
const MAX_PRINTED_FRAMES = 10;

function isCut({ language, frames }: Trace): boolean {
  return (
    language === 'javascript' &&
    frames.length === MAX_PRINTED_FRAMES &&
    !frames.at(-1)!.path.startsWith('node:')
  );
}

function isProgram(own: PlacedFrame[]): boolean {
  const outermost = own.at(-1);
  if (!outermost) return false;
  const isInstalled = own.some(({ frame }) => parsePrintedPath(frame.path).package !== null);
  return !isInstalled || EXECUTABLE.test(outermost.path);
}

/** Halves with every 90 days and with every 30 commits before the newest one, by the slower of the two. */
function decay(commit: number, index: RepositoryIndex): number {
  const { commits } = index;
  if (isReleaseCommit(index, commit)) return 0;
  const daysBefore = (other: number) => Math.max(0, commits.time(0) - commits.time(other)) / 86_400;
  const days = daysBefore(commit);
  if (Number.isNaN(days)) return 0;
  const halfLife = Math.min(HALF_LIFE_COMMITS, HALF_LIFE_SHARE * commits.count);
  const all = HALF_LIFE_SHARE_OF_DAYS * daysBefore(commits.count - 1);
  // Without a time of the oldest commit nothing bounds the days.
  const halfLifeDays = all > 0 ? Math.min(HALF_LIFE_DAYS, all) : HALF_LIFE_DAYS;
  return Math.max(0.5 ** (commit / halfLife), 0.5 ** (days / halfLifeDays));
}

/** Recency of the failing line's last change, and of a blamed first suspect weighted by its probability; a guard's own apart. */
function recencyOf(failing: PlacedFrame | undefined, input: FaultInput): number {
  const { blamed, suspects, guardCommit, index } = input;
  const exact = [...blamed]
    .filter(
      ([commit, { path, line, isExactLine }]) =>
        isExactLine && path === failing?.path && line === failing.line && commit !== guardCommit,
    )
    .map(([commit]) => decay(commit, index));
  const [suspect] = suspects;
  const isCounted = suspect?.blame && suspect.commit !== guardCommit;
  return Math.max(0, ...exact, isCounted ? suspect.score * decay(suspect.commit, index) : 0);
}

async function shareUsingParameters(frames: PlacedFrame[], sources: SourceReader): Promise<number> {
  if (frames.length === 0) return 0;
  const uses = await Promise.all(
    frames.map(async ({ path, line }) => usesParameter((await sources.lines(path)) ?? [], line!)),
  );
  return uses.filter(Boolean).length / frames.length;
}

/** True when a line of the project called a function that the project defines with the wrong arguments. */
function callsOwnFunctionWrongly(
  { message }: Trace,
  { frames, owners, index: { code } }: FaultInput,
): boolean {
  const called = CALLED_IN.exec(message)?.filter((group) => group !== undefined);
  if (called) {
    const [, path, line] = called;
    const call = frames.find(({ frame }) => frame.path === path && frame.line === Number(line));
    return call !== undefined && owners[call.depth] === 'project';
  }
  const match = WRONG_ARGUMENTS.exec(message);
  const name = match?.slice(1).find((group) => group !== undefined);
  if (!name || !code || owners.find((owner) => owner !== 'runtime') !== 'project') return false;
  const parts = name.split('.');
  const last = parts.at(-1)!;
  return code.passagesDefining(/^__\w+__$/.test(last) ? (parts.at(-2) ?? last) : last).length > 0;
}
