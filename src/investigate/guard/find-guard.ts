import type { CodeTable } from '#memory/repository-index.ts';
import { findEnclosingFunction } from '../locate/enclosing-function.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import { isMessageCatalog } from '../locate/message-catalogs.ts';
import { isTestOrDocument, type MessageOrigin } from '../locate/message-origin.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { Frame, Trace, TraceLanguage } from '../trace/trace.ts';
import { reportsCaught, wrapsMistake } from './caught-errors.ts';
import { declaredError, filesNaming, findRaiseOf } from './declared-error.ts';
import { findGuardCondition } from './guard-condition.ts';
import { isPrinted, printingStatement } from './printing-statement.ts';
import {
  findRaiseStatement,
  findStatementWithMessage,
  type RaiseStatement,
  raiseLanguage,
} from './raise-statement.ts';
import { hasRaisingHelper } from './raising-helper.ts';

/** A frame that led to the guard. */
export interface CallingFrame {
  frame: Frame;
  isInRepository: boolean;
}

/** A statement of the project that raises the error on purpose. */
export interface FoundGuard {
  path: string;
  /** From the condition to the end of the statement. */
  start: number;
  end: number;
  /** First line of the statement itself. */
  line: number;
  condition: string;
  quote: string;
  /** Null when the statement was found by its message. */
  frame: PlacedFrame | null;
  caller: CallingFrame | null;
  /** True when it checks the program itself: a failed invariant is a fault, not an answer to a caller. */
  isInvariant: boolean;
}

interface FindGuardInput {
  trace: Trace;
  frames: PlacedFrame[];
  owners: FrameOwner[];
  origins: MessageOrigin[];
  sources: SourceReader;
  code: CodeTable | null;
}

/** Frames of the project that are looked at, innermost first. */
const MAX_FRAMES = 3;
/** Shares of the message that a literal must cover: on the failing line, above it in the trace, and without a trace. */
const MIN_SHARE = 0.3;
const MIN_OUTER_SHARE = 0.5;
const MIN_ORIGIN_SHARE = 0.5;
/** Words of a literal without a trace: a name alone is in many lines. */
const MIN_ORIGIN_WORDS = 2;
/** Letters of a literal that suffice without a trace. */
const SUFFICIENT_LETTERS = 18;
const MAX_QUOTED_LINES = 12;
/** Errors that a language raises by itself, so that a statement of another class is not their origin. */
const BUILT_IN_ERROR =
  /^(?:(?:Type|Reference|Range|Syntax|Attribute|Key|Index|Name|UnboundLocal|ZeroDivision|Recursion|Import|ModuleNotFound|OS|Unicode\w*|NoMethod|Argument|ZeroDivision|Frozen|Load)Error|StopIteration|NullPointerException|ClassCastException|\w*OutOfBoundsException|ArithmeticException)$/;
/** Errors of a compiler, which name the file that does not parse. */
const COMPILE_ERROR = /^(?:Parse error|SyntaxError|IndentationError|TabError)$/;
/** An assertion of the language without a message: it addresses the authors, not the caller. */
const BARE_ASSERTION = /^\s*assert\b(?![^\n]*[:,] *f?["'`])[^"'`]*$/;
const INVARIANT =
  /\b(?:BUG\b|internal (?:compiler )?error|should (?:never|not) happen|unreachable|can't happen|this is a bug|invariant)/i;

/** Errors that a runtime words and no program raises; a statement that seems to raise one only passes it on. */
const RUNTIME_ERROR: Partial<Record<TraceLanguage, RegExp>> = {
  go: /^(?:runtime error: |assignment to entry in nil map|interface conversion: |reflect: |value method \S+ called using nil)/,
  php: /^(?:Attempt to |Undefined (?:variable|array key|index|offset|property)|Array to string|Trying to |A non-numeric|Uninitialized string|Illegal string offset)/,
  rust: /^(?:called `(?:Option|Result)::|index out of bounds|attempt to \w+ with overflow)/,
};

/** Finds the statement that raised the error on purpose: on the line of a frame, or by its message. */
export async function findGuard(input: FindGuardInput): Promise<FoundGuard | null> {
  const { language, message } = input.trace;
  if (language !== null && RUNTIME_ERROR[language]?.test(message)) return null;
  const guard = (await findByFrame(input)) ?? (await findByMessage(input));
  if (!guard || reportsCaught(guard, input.trace) || wrapsMistake(guard, input.trace, input.owners))
    return null;
  return guard;
}

async function findByFrame(input: FindGuardInput): Promise<FoundGuard | null> {
  const { owners, sources } = input;
  const own = input.frames.filter(({ depth, line }) => line !== null && owners[depth] === 'project');
  const { error, start } = errorOf(own[0], input);
  const trace = { ...input.trace, ...error };
  for (const [at, frame] of own.slice(0, MAX_FRAMES).entries()) {
    const lines = (await sources.lines(frame.path)) ?? [];
    const context = { path: frame.path, message: trace.message };
    const statement = frame.range
      ? findRaiseIn(lines, frame.range, { ...context, trace })
      : (findRaiseStatement(lines, frame.line!, context) ??
        (at === 0 ? findWording(lines, frame.line!, trace.message) : null));
    if (!statement) continue;
    const inner = owners.slice(start, frame.depth);
    // An assertion of a dependency is the check of the line that calls it.
    const isPartOfLine = (owner: FrameOwner) =>
      owner === 'runtime' || (owner === 'dependency' && statement.isAssertion);
    const isInnermost = at === 0 && inner.every(isPartOfLine);
    const isRaised = isInnermost
      ? raisesError(statement, trace, inner.length > 0)
      : statement.share >= MIN_OUTER_SHARE;
    if (isRaised)
      return (
        (await findChecked(statement, own.slice(at + 1), trace.message, input)) ??
        toGuard(lines, statement, frame, input)
      );
  }
  return null;
}

/**
 * The error that arose in the innermost frame of the project, with the depth at which its frames begin: a cause where others
 * wrapped the error of the project in one of their own.
 */
function errorOf(
  frame: PlacedFrame | undefined,
  { trace }: FindGuardInput,
): { error: { errorType: string | null; message: string }; start: number } {
  const cause =
    frame &&
    trace.related.find(({ type, frames }) => !ENDS_PROGRAM.test(type ?? '') && frames.includes(frame.frame));
  if (!cause) return { error: { errorType: trace.errorType, message: trace.message }, start: 0 };
  const start = trace.frames.findIndex((one) => cause.frames.includes(one));
  return { error: { errorType: cause.type, message: cause.message }, start: Math.max(0, start) };
}

/** Exceptions by which a program ends or is cancelled; they are no cause. */
const ENDS_PROGRAM = /(?:^|\.)(?:SystemExit|KeyboardInterrupt|GeneratorExit|CancelledError)$/;

/** Words that a message must have to be recognized on a line without a raising keyword. */
const MIN_WORDS = 3;

/** A statement that loads a module, whose name the loader repeats where it finds none. */
const LOADING =
  /^\s*(?:require(?:_relative|_once)?|load|autoload|gem|import|from|use|include(?:_once)?|#\s*include)\b/;

/** The statement of a line that words the message, whatever raises it: `Boom.badRequest("no such order")`. */
function findWording(lines: readonly string[], line: number, message: string): RaiseStatement | null {
  if (message.trim().split(/\s+/).length < MIN_WORDS || LOADING.test(lines[line - 1] ?? '')) return null;
  const statement = findStatementWithMessage(lines, line, message);
  return statement && statement.share >= MIN_ORIGIN_SHARE ? statement : null;
}

/** The statement of a function that raises the message, where the trace tells the function only. */
function findRaiseIn(
  lines: readonly string[],
  { start, end }: { start: number; end: number },
  { trace, ...context }: { path: string; message: string; trace: Trace },
): RaiseStatement | null {
  let best: RaiseStatement | null = null;
  for (let line = start; line <= end; line++) {
    const statement = findRaiseStatement(lines, line, context);
    if (!statement) continue;
    const isOfClass = statement.errorClass !== null && statement.errorClass === className(trace);
    if ((statement.share >= MIN_SHARE || isOfClass) && statement.share > (best?.share ?? -1))
      best = statement;
    line = Math.max(line, statement.end);
  }
  return best;
}

/**
 * The call that passed the message to a helper, such as `checkArgument(size > 0, "no size")` or `fail("no size")`: the
 * innermost one with more of the message than the helper; null for other statements.
 */
async function findChecked(
  helper: RaiseStatement,
  callers: PlacedFrame[],
  message: string,
  input: FindGuardInput,
): Promise<FoundGuard | null> {
  for (const caller of callers.slice(0, MAX_FRAMES - 1)) {
    const lines = (await input.sources.lines(caller.path)) ?? [];
    const context = { path: caller.path, message };
    const call =
      findRaiseStatement(lines, caller.line!, context) ??
      findStatementWithMessage(lines, caller.line!, context.message);
    if (call && call.share >= MIN_SHARE && call.share > helper.share)
      return toGuard(lines, call, caller, input);
  }
  return null;
}

/** True when the statement on the innermost line of the project raised this very error. */
function raisesError(statement: RaiseStatement, trace: Trace, isInRuntime: boolean): boolean {
  if (statement.share >= MIN_SHARE) return true;
  // A call of the runtime inside the statement raised it, unless that call is the check.
  if (isInRuntime && !statement.isAssertion) return false;
  const type = className(trace);
  if (type !== null && statement.errorClass === type) return true;
  if (type === null || !BUILT_IN_ERROR.test(type))
    return !statement.hasLiteral || statement.errorClass !== null;
  return (
    statement.errorClass === null && !statement.hasLiteral && /^\s*(?:raise|throw)\b/.test(statement.text)
  );
}

/** Class of the error without its package. */
function className({ errorType }: Trace): string | null {
  return errorType?.split(/[.:\\]+/).at(-1) ?? null;
}

/** The literal that most likely holds the message, in source code. */
function findOrigin({ trace, origins }: FindGuardInput): MessageOrigin | undefined {
  return origins.find(
    ({ path, share, letters, words }) =>
      (share >= MIN_ORIGIN_SHARE || (letters >= SUFFICIENT_LETTERS && trace.language === null)) &&
      (trace.language !== null || words >= MIN_ORIGIN_WORDS) &&
      !isTestOrDocument(path) &&
      !isMessageCatalog(path),
  );
}

/** Share and letters of a literal of a statement that raises, in a message that a program printed without a trace. */
const MIN_PRINTED_SHARE = 0.35;
const MIN_PRINTED_LETTERS = 10;

/** The statement that raises a message which a program printed without a trace, beside the name of a file, a row or a value. */
async function findPrinted(input: FindGuardInput): Promise<FoundGuard | null> {
  const { trace, frames, origins, sources } = input;
  if (trace.language !== null || frames.length > 0) return null;
  for (const { path, lines: place, share, letters } of origins) {
    if (share < MIN_PRINTED_SHARE || letters < MIN_PRINTED_LETTERS) continue;
    if (isTestOrDocument(path) || isMessageCatalog(path)) continue;
    const lines = (await sources.lines(path)) ?? [];
    const statement = findRaiseStatement(lines, place[0], { path, message: trace.message });
    if (statement) return toGuard(lines, statement, null, input, path);
  }
  return null;
}

/** Letters of a literal that raised the message for certain, although the trace ends elsewhere in the project. */
const CERTAIN_LETTERS = 24;

/**
 * The statement that raises a message written elsewhere: at its literal, or by the name of the error, variable or function that
 * holds it. Frames of the project come first, since a message alone may be a coincidence.
 */
async function findByMessage(input: FindGuardInput): Promise<FoundGuard | null> {
  const { trace, owners, sources } = input;
  const origin = failedOutside(input) ? undefined : findOrigin(input);
  if (!origin) return await findPrinted(input);
  const { path } = origin;
  const lines = (await sources.lines(path)) ?? [];
  const [line] = origin.lines;
  const context = { path, message: trace.message };
  const own = input.frames.filter(({ depth }) => owners[depth] === 'project');
  const error = declaredError(lines, line);
  const direct = error === null ? findRaiseStatement(lines, line, context) : null;
  const holder = error ?? (direct ? null : (findEnclosingFunction(lines, line)?.name ?? null));
  for (const frame of holder === null ? [] : own.slice(0, MAX_FRAMES)) {
    const place = { path: frame.path, near: frame.frame.line ?? frame.line ?? 0 };
    const statement = await findRaiseOf(holder!, place, { sources, message: trace.message });
    if (statement) return toGuard((await sources.lines(frame.path)) ?? [], statement, frame, input);
  }
  // The stack names the statement, which was none that raises, unless it is cut or raised an error again that it had caught.
  const isNamed = own.some((frame) => frame.path === path);
  const isCertain = origin.share >= MIN_ORIGIN_SHARE && origin.letters >= CERTAIN_LETTERS;
  const isElsewhere = own.length > 0 && !isNamed && !isCertain && !REPORTS_CALLER.test(direct?.text ?? '');
  if (isElsewhere && !(await raisesAgain(own[0]!, input))) return null;
  const isTraced = own.length > 0 && trace.language !== null;
  if (error !== null) return isTraced ? null : await findOnlyUse(error, origin, input);
  const statement =
    direct ??
    findUseBelow(lines, line, context) ??
    (holder === null
      ? null
      : await findRaiseOf(holder, { path, near: line }, { sources, message: trace.message })) ??
    (isPrinted(origin, lines, isTraced) || hasRaisingHelper(lines, trace)
      ? printingStatement(lines, line, origin)
      : null);
  return statement && canRaise(statement, trace) ? toGuard(lines, statement, null, input, path) : null;
}

/** True when the language itself raised the error in code that the project called back: a like literal is a coincidence. */
export function failedOutside({ trace, owners }: Pick<FindGuardInput, 'trace' | 'owners'>): boolean {
  if (owners.find((owner) => owner !== 'runtime') !== 'outside') return false;
  const type = className(trace) ?? '';
  return owners.includes('project') ? BUILT_IN_ERROR.test(type) : COMPILE_ERROR.test(type);
}

/** The statement that raises a declared error in the only file that names it, or beside its declaration. */
async function findOnlyUse(
  name: string,
  origin: MessageOrigin,
  input: FindGuardInput,
): Promise<FoundGuard | null> {
  const { sources, trace, code } = input;
  const [path = origin.path, ...others] = code ? filesNaming(code, name, origin.path) : [];
  if (others.length > 0) return null;
  const statement = await findRaiseOf(name, { path, near: 0 }, { sources, message: trace.message });
  return statement && toGuard((await sources.lines(path)) ?? [], statement, null, input, path);
}

/** False for a statement that names another class than the error, which the language itself may have raised. */
function canRaise({ errorClass }: RaiseStatement, trace: Trace): boolean {
  const type = className(trace);
  return !type || errorClass === null || errorClass === type || !BUILT_IN_ERROR.test(type);
}

/** Statements of Perl, Lua and Ruby whose error has the place of the caller. */
const REPORTS_CALLER = /\b(?:croak|confess)\b|\berror\s*\(.*,\s*[2-9]\s*\)|,\s*caller\b/s;

/** A statement that raises what a call returns or a handler caught, without a message of its own. */
const RAISES_AGAIN = /^\s*(?:raise|throw)\s+(?:self\.|this\.)?[a-z_$][\w$.]*\s*(?:\(|;|$|\.with)/;

async function raisesAgain({ path, line }: PlacedFrame, { sources }: FindGuardInput): Promise<boolean> {
  const lines = (await sources.lines(path)) ?? [];
  return line !== null && RAISES_AGAIN.test(lines[line - 1] ?? '');
}

/** Lines below a message that is assigned first, within which it is raised. */
const MAX_USE_DISTANCE = 12;

/** The statement that raises the message assigned on a line. */
function findUseBelow(
  lines: readonly string[],
  line: number,
  context: { path: string; message: string },
): RaiseStatement | null {
  const name = /(?:const|let|var|\$)?\s*(\w+)\s*(?::=|=)(?!=)/.exec(lines[line - 1] ?? '')?.[1];
  if (!name) return null;
  const use = new RegExp(`\\b${name}\\b`);
  for (let at = line + 1; at <= Math.min(lines.length, line + MAX_USE_DISTANCE); at++) {
    if (!use.test(lines[at - 1]!)) continue;
    const statement = findRaiseStatement(lines, at, context);
    if (statement) return { ...statement, start: Math.min(statement.start, line) };
  }
  return null;
}

function toGuard(
  lines: readonly string[],
  statement: RaiseStatement,
  frame: PlacedFrame | null,
  input: FindGuardInput,
  path = frame!.path,
): FoundGuard {
  const condition = findGuardCondition(lines, statement);
  const start = Math.min(condition.start, statement.start);
  const isCheck =
    statement.isAssertion && (raiseLanguage(path, lines) === 'c' || BARE_ASSERTION.test(statement.text));
  return {
    ...{ path, start, end: statement.end, line: statement.start, condition: condition.text, frame },
    quote: lines
      .slice(start - 1, statement.end)
      .slice(-MAX_QUOTED_LINES)
      .join('\n'),
    caller: findCaller(frame, input),
    isInvariant: isCheck || INVARIANT.test(input.trace.message),
  };
}

/** The innermost frame outside the project that led to the guard, else the project's own next one. */
function findCaller(
  guard: PlacedFrame | null,
  { trace, owners, frames }: FindGuardInput,
): CallingFrame | null {
  const depth = guard?.depth ?? -1;
  const outside = trace.frames.find((_, at) => at > depth && owners[at] === 'outside');
  if (outside) return { frame: outside, isInRepository: false };
  const own = frames.find((one) => one.depth > depth && one.frame.symbol !== guard?.frame.symbol);
  return own ? { frame: { ...own.frame, path: own.path, line: own.line }, isInRepository: true } : null;
}
