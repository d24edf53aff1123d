import { isNonSource } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RankedSuspect } from '../suspects/rank-suspects.ts';
import type { Trace } from '../trace/trace.ts';
import { sourceOfValue, usesParameter } from './function-parameters.ts';
import type { ProjectMatch } from './match-project.ts';

/** Signs for and against a fault of the project, each from 0 to 1. */
export interface FaultFeatures {
  /** A guard of the project raised the error. */
  guard: number;
  /** Recency of the guard's last change, from 0 for old to 1 for today's. */
  guardRecency: number;
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
  /** The absent value is one that the function computed, which cannot come from a caller. */
  localValue: number;
  /** The absent value belongs to the function's own object, which the caller may have set up or bound wrongly. */
  ownState: number;
  /** The message names a type or value that the caller chose. */
  concreteValue: number;
  /** The message is about an absent value, which may be the project's own. */
  missingValue: number;
  /** The project calls a function of its own with the wrong arguments. */
  ownCallee: number;
  /** The project composed code that does not parse or names nothing. */
  generated: number;
  /** The project calls itself without end. */
  recursion: number;
  /** A test of the project itself failed. */
  ownTest: number;
  /** Recency of the last change of the failing line, or of a first suspect in its place. */
  recency: number;
  /** The report says that it worked before. */
  workedBefore: number;
}

export interface FaultInput {
  trace: Trace;
  /** The whole report. */
  text: string;
  frames: PlacedFrame[];
  owners: FrameOwner[];
  sources: SourceReader;
  guard: FoundGuard | null;
  guardCommit: number | null;
  blamed: Map<number, BlamedCommit>;
  /** Best first. */
  suspects: RankedSuspect[];
  match: ProjectMatch;
  index: RepositoryIndex;
}

/** Days after which half of the suspicion against a change is gone. */
const HALF_LIFE_DAYS = 90;
/** Frames of the project that are read. */
const MAX_FRAMES = 7;

const CONCRETE_VALUE =
  /'(?:function|int|str|float|bool|list|dict|tuple|set|type|method|property|builtin_function_or_method|module|bytes)' object|"[^"\n]*":String|\d:Integer|for #<|an instance of (?:String|Integer|Array|Hash)|is not a (?:function|constructor)|is not iterable|[Rr]eceived (?:an instance|type|function)|got an? \[object|must be (?:a|an|of type|str|int)\b|arg(?:ument)? \d must be|cannot be cast to|no implicit conversion|interface conversion|not JSON serializable|not supported between instances|Headers? (?:already|.*after they are) sent/;
const MISSING_VALUE =
  /'NoneType' object|of (?:undefined|null)\b|(?:undefined|null) (?:is not an object|reference)|for nil\b|nil (?:pointer|map)|NullPointerException|because .* is null/;
const INTERNAL_TYPE =
  /^(?:KeyError|IndexError|UnboundLocalError|NameError|ZeroDivisionError|AssertionError|ReferenceError|RangeError|ConcurrentModificationException|\w*OutOfBounds\w*|NoSuchElementException|ArithmeticException)\b|runtime error: (?:index|slice|integer)|index out of (?:range|bounds)|Segmentation fault|SIGSEGV|AddressSanitizer|double free/;
const WRONG_ARGUMENTS =
  /([\w.]+)\(\) (?:takes|missing|got (?:an unexpected|multiple))|in [`']([\w.]+)': wrong number of arguments/;
const RECURSION =
  /RecursionError|maximum recursion|Maximum call stack|stack level too deep|stack overflow|StackOverflowError/i;
const GENERATED = /\bSyntaxError|invalid syntax|Unexpected token/i;
const EXECUTABLE = /(?:^|\/)(?:s?bin|exe|cmd|cli)\/|(?:^|\/)(?:__main__|cli|main)\.\w+$/;
const WORKED_BEFORE =
  /\b(?:regression|used to work|worked (?:in|with|before|fine)|no longer works?|stopped working|since (?:updating|upgrading|the (?:update|upgrade))|after (?:updating|upgrading|the (?:update|upgrade))|broke(?:n)? (?:in|since|by))\b/i;

/** Measures the signs that the project itself is at fault rather than its caller. */
export async function measureFaultFeatures(input: FaultInput): Promise<FaultFeatures> {
  const { trace, owners, index, guard, guardCommit } = input;
  const own = input.frames.filter(({ depth, line }) => line !== null && owners[depth] === 'project');
  const [failing] = own;
  const isOutside = (owner: FrameOwner) => owner === 'outside';
  const from = owners.indexOf('project');
  const outer = from < 0 ? -1 : owners.findIndex((owner, at) => at > from && isOutside(owner));
  const calls = owners.filter((owner, at) => owner === 'project' && (outer < 0 || at < outer)).length;
  const inner = own.filter(({ depth }) => outer < 0 || depth < outer);
  const before = owners.slice(0, Math.max(0, from));
  const isPassedOn = before.some((owner) => owner === 'dependency' || owner === 'runtime');
  const source =
    failing && sourceOfValue((await input.sources.lines(failing.path)) ?? [], failing.line!, trace.message);
  const message = `${trace.errorType}: ${trace.message}`;
  const failedOutside = before.some(isOutside);
  return {
    guard: Number(guard !== null && !guard.isInvariant),
    guardRecency: guardCommit === null ? 0 : decay(guardCommit, index),
    outside: Number(outer >= 0),
    failedOutside: Number(failedOutside),
    program: Number(outer < 0 && !failedOutside && isProgram(own)),
    depth: Math.min(1, Math.max(0, calls - 1) / 6),
    passedDown: await shareUsingParameters(inner.slice(0, MAX_FRAMES), input.sources),
    passedOn: Number(isPassedOn),
    ownError: Number(input.match.definesError),
    internalType: Number(!isPassedOn && INTERNAL_TYPE.test(message)),
    localValue: Number(source === 'local'),
    ownState: Number(source === 'state'),
    concreteValue: Number(CONCRETE_VALUE.test(message)),
    missingValue: Number(MISSING_VALUE.test(message)),
    ownCallee: Number(callsOwnFunctionWrongly(trace, input)),
    generated: Number(GENERATED.test(message)),
    recursion: Number(RECURSION.test(message) && owners.filter(isOutside).length <= 2),
    ownTest: Number(own.some(({ path }) => isNonSource(path))),
    recency: recencyOf(failing, input),
    workedBefore: Number(WORKED_BEFORE.test(input.text)),
  };
}

function isProgram(own: PlacedFrame[]): boolean {
  const outermost = own.at(-1);
  if (!outermost) return false;
  const isInstalled = own.some(({ frame }) => parsePrintedPath(frame.path).package !== null);
  return !isInstalled || EXECUTABLE.test(outermost.path);
}

/** Halves with every 90 days before the newest commit. */
function decay(commit: number, { commits }: RepositoryIndex): number {
  const days = Math.max(0, commits.time(0) - commits.time(commit)) / 86_400;
  return Number.isNaN(days) ? 0 : 0.5 ** (days / HALF_LIFE_DAYS);
}

/** Recency of the failing line's last change, and of a blamed first suspect weighted by its probability. */
function recencyOf(failing: PlacedFrame | undefined, { blamed, suspects, index }: FaultInput): number {
  const exact = [...blamed]
    .filter(
      ([, { path, line, isExactLine }]) => isExactLine && path === failing?.path && line === failing.line,
    )
    .map(([commit]) => decay(commit, index));
  const [suspect] = suspects;
  return Math.max(0, ...exact, suspect?.blame ? suspect.score * decay(suspect.commit, index) : 0);
}

async function shareUsingParameters(frames: PlacedFrame[], sources: SourceReader): Promise<number> {
  if (frames.length === 0) return 0;
  const uses = await Promise.all(
    frames.map(async ({ path, line }) => usesParameter((await sources.lines(path)) ?? [], line!)),
  );
  return uses.filter(Boolean).length / frames.length;
}

/** True when the innermost line is the project's own and called a function that the project defines. */
function callsOwnFunctionWrongly({ message }: Trace, { owners, index: { code } }: FaultInput): boolean {
  const match = WRONG_ARGUMENTS.exec(message);
  const name = match?.[1] ?? match?.[2];
  if (!name || !code || owners.find((owner) => owner !== 'runtime') !== 'project') return false;
  const parts = name.split('.');
  const last = parts.at(-1)!;
  return code.passagesDefining(/^__\w+__$/.test(last) ? (parts.at(-2) ?? last) : last).length > 0;
}
