import type { Trace, TraceError } from '#investigate/trace/trace.ts';
import type { ErrorEvent, EventException, EventFrame } from './error-event.ts';
import { frameFile, frameFunction, isMinified } from './frame-names.ts';
import { isInAppFrame, selectInAppFrames } from './in-app.ts';
import { messageShape } from './message-shape.ts';

/** A frame without what differs between occurrences, builds and machines. */
export interface NormalizedFrame {
  /** Empty for generated files. */
  file: string;
  /** Null for functions without a name. */
  name: string | null;
}

/** An error in the form that its fingerprint is computed from, the same for events and for texts. */
export interface NormalizedError {
  /** Type of the root cause without its package; null for messages. */
  type: string | null;
  /** Frames of the application, innermost first, each once; empty where only the message tells errors apart. */
  frames: NormalizedFrame[];
  /** Of these, the functions of an endless recursion. */
  recursion: NormalizedFrame[];
  /** True when the innermost frame of all is the application's: its own code raised the error. */
  isRaisedInApp: boolean;
  message: string;
  /** Constraint of a database that was violated. */
  constraint: string | null;
}

const MESSAGE_ONLY = { type: null, frames: [], recursion: [], isRaisedInApp: false, constraint: null };

/** Normalizes an event. Its last exception is the root cause. */
export function normalizeEvent(event: ErrorEvent): NormalizedError {
  const { exceptions, message, messageTemplate } = event;
  if (exceptions.length > 0) return normalizeChain(exceptions);
  return { ...MESSAGE_ONLY, message: messageShape(messageTemplate ?? message ?? '') };
}

/** Normalizes a parsed error text. */
export function normalizeTrace(trace: Trace): NormalizedError {
  const { language, errorType: type, message, related } = trace;
  const own = trace.frames.slice(0, trace.frames.length - countRelatedFrames(trace));
  const inner = language === 'csharp' ? findInnerException(trace) : [];
  const chain: TraceError[] = [{ type, message, frames: own }, ...related, ...inner];
  if (chain.every((one) => one.type === null && one.frames.length === 0))
    return { ...MESSAGE_ONLY, message: messageShape(message) };
  return normalizeChain(
    chain.map((one) => ({
      type: one.type,
      value: one.message,
      frames: language === 'php' ? shiftSymbols(one.frames) : one.frames,
    })),
  );
}

/** The innermost exception of .NET's header: `A: outer ---> B: inner`. */
function findInnerException({ lines }: Trace): TraceError[] {
  const header = lines.find((line) => line.includes(' ---> '))?.slice(0, 4_000);
  const [, type, message = ''] = /.* ---> ([\w.`+]+)(?:: (.*))?$/s.exec(header ?? '') ?? [];
  return type === undefined ? [] : [{ type, message, frames: [] }];
}

/** Number of frames at the end of a trace that belong to related errors. */
function countRelatedFrames({ frames, related }: Trace): number {
  const keys = new Set(related.flatMap((one) => one.frames).map(frameKey));
  let count = 0;
  while (count < frames.length && keys.has(frameKey(frames.at(-1 - count)!))) count++;
  return count;
}

function frameKey({ path, line, symbol }: EventFrame): string {
  return `${path}:${line}:${symbol ?? ''}`;
}

/** PHP prints beside each place the function that is called there, which is the function of the frame before. */
function shiftSymbols(frames: EventFrame[]): EventFrame[] {
  return frames.map(({ symbol: _, ...frame }, index) => {
    const symbol = frames[index + 1]?.symbol;
    return symbol === undefined ? frame : { ...frame, symbol };
  });
}

type ChainLink = Pick<EventException, 'type' | 'value' | 'frames'>;

/** The type of the root cause with the frames of the innermost error that has frames of the application. */
function normalizeChain(all: ChainLink[]): NormalizedError {
  // An error boundary of React adds where a component was rendered, which is no cause.
  const chain = all.filter(({ type }) => type === null || !/ErrorBoundary/.test(type));
  const root = chain.findLast(({ type, frames }) => type !== null || frames.length > 0) ?? all.at(-1)!;
  const value = root.value ?? '';
  const stack = joinStacks(chain);
  const { frames, recursion } = normalizeFrames(stack);
  const isRaisedInApp = stack[0] !== undefined && isInAppFrame(stack[0]);
  // Some runtimes say nothing but the name of the type, in the language of the machine.
  const message = root.type !== null && value.includes(lastName(root.type)) ? '' : messageShape(value);
  if (isOutOfMemory(root)) {
    return { ...MESSAGE_ONLY, type: 'out of memory', message: message.replace(/•.*$/s, '').trim() };
  }
  const constraint = CONSTRAINT.exec(value)?.[1] ?? null;
  return { type: failureType(chain, root), frames, recursion, isRaisedInApp, message, constraint };
}

/**
 * Frames of the root cause, then those outside of it. The stack of a cause may end where it was caught: the error that was
 * raised there has the callers.
 */
function joinStacks(chain: ChainLink[]): EventFrame[] {
  const joined: EventFrame[] = [];
  for (const { frames } of chain.toReversed()) {
    const last = joined.at(-1);
    const joint = last ? frames.findLastIndex((frame) => placeKey(frame) === placeKey(last)) : -1;
    joined.push(...frames.slice(joint + 1));
  }
  return joined;
}

function placeKey({ path, symbol }: EventFrame): string {
  return `${path} ${symbol ?? ''}`;
}

/** Type of the root cause. Timeouts and violated constraints have as many names as there are libraries. */
function failureType(chain: ChainLink[], { type, value }: ChainLink): string | null {
  if (CONSTRAINT.test(value ?? '')) return 'constraint';
  if (chain.some((link) => CONNECT_TIMEOUT.test(link.type ?? ''))) return 'connect timeout';
  if (chain.some((link) => TIMEOUT.test(`${link.type ?? ''} ${link.value ?? ''}`))) return 'timeout';
  return type === null ? null : shortType(type, value ?? '');
}

/** The constraint or unique key that a statement violated. */
const CONSTRAINT = /\b(?:constraint|unique key[\p{L}-]*) ["'`«„“]?((?<=["'`«„“])[\w.]+|\w*_\w+)/iu;
const CONNECT_TIMEOUT = /(?:open|connect(?:ion)?)timeout/i;
const TIMEOUT = /time-?d?[ -]?out|deadline ?exceeded/i;
const OUT_OF_MEMORY =
  /out ?of ?memory|memory size of .{1,40} exhausted|^\w*memoryerror\b|cannot allocate memory/i;

/** True for exhausted memory: its frames show who asked for memory last. */
function isOutOfMemory({ type, value }: ChainLink): boolean {
  return OUT_OF_MEMORY.test(type ?? '') || OUT_OF_MEMORY.test(value ?? '');
}

function normalizeFrames(frames: EventFrame[]): Pick<NormalizedError, 'frames' | 'recursion'> {
  const usable = selectInAppFrames(frames)
    .map((frame) => ({ file: frameFile(frame), name: frameFunction(frame), path: frame.path }))
    // In a minified bundle only a name tells places apart.
    .filter(({ file, name, path }) => name !== null || (file !== '' && !isMinified(path)))
    .map(({ file, name }) => ({ file, name }));
  // A function without a name, such as a callback, lies in the function of the same file that called it.
  const named = usable.filter(
    ({ file, name }, index) =>
      name !== null || !usable.slice(index + 1).some((outer) => outer.file === file && outer.name !== null),
  );
  const byPlace = [...Map.groupBy(named, ({ file, name }) => `${file} ${name ?? ''}`).values()];
  const most = Math.max(...byPlace.map((list) => list.length));
  return {
    frames: byPlace.map(([frame]) => frame!),
    recursion: byPlace.filter((list) => list.length > 1 && list.length >= most / 2).map(([frame]) => frame!),
  };
}

/** Types by which runtimes and libraries name one kind of failure. */
const SAME_TYPES: Record<string, string> = {
  boundserror: 'panic',
  plainerror: 'panic',
  errorstring: 'error',
  wraperror: 'error',
  fundamental: 'error',
  withstack: 'error',
  withmessage: 'error',
  unhandledrejection: 'error',
};

/** Panics of Go's runtime, which come as several types. */
const GO_PANIC =
  /^(?:runtime error: |(?:send on|close of) closed channel|close of nil channel|assignment to entry in nil map|concurrent map |all goroutines are asleep)/;

/** Name of a type without package, outer class and minification. */
function shortType(type: string, value: string): string {
  if (GO_PANIC.test(value)) return 'panic';
  // A failed `unwrap` panics with the error that it found.
  const [, system] = /\b(?:os error |Os \{ code: )(\d+)/.exec(value) ?? [];
  if (system !== undefined) return `os error ${system}`;
  const [, wrapped] = /\bon an `Err` value: ([A-Z]\w+)/.exec(value) ?? [];
  if (wrapped !== undefined) return wrapped.toLowerCase();
  const name = lastName(type);
  const short = name.length <= 2 ? 'error' : name.toLowerCase();
  return SAME_TYPES[short] ?? short;
}

function lastName(type: string): string {
  return type
    .replace(/^uncaught (?:\(in promise\) )?/i, '')
    .split(/[.\\/]|::|\$/)
    .at(-1)!
    .replace(/^[*&]/, '')
    .trim();
}
