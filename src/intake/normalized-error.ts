import type { Trace, TraceError } from '#investigate/trace/trace.ts';
import type { ErrorEvent, EventException, EventFrame } from './error-event.ts';
import { frameFile, frameFunction, isMinified } from './frame-names.ts';
import { selectInAppFrames } from './in-app.ts';
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
  message: string;
}

/** Normalizes an event. Its last exception is the root cause. */
export function normalizeEvent(event: ErrorEvent): NormalizedError {
  const { exceptions, message, messageTemplate } = event;
  if (exceptions.length > 0) return normalizeChain(exceptions);
  return { type: null, frames: [], message: messageShape(messageTemplate ?? message ?? '') };
}

/** Normalizes a parsed error text. */
export function normalizeTrace(trace: Trace): NormalizedError {
  const { language, errorType: type, message, related } = trace;
  const own = trace.frames.slice(0, trace.frames.length - countRelatedFrames(trace));
  const inner = language === 'csharp' ? findInnerException(trace) : [];
  const chain: TraceError[] = [{ type, message, frames: own }, ...related, ...inner];
  if (chain.every((one) => one.type === null && one.frames.length === 0))
    return { type: null, frames: [], message: messageShape(message) };
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
function normalizeChain(chain: ChainLink[]): NormalizedError {
  const root = chain.findLast(({ type, frames }) => type !== null || frames.length > 0) ?? chain.at(-1)!;
  const type = root.type === null ? null : shortType(root.type);
  const placed = chain
    .toReversed()
    .map(({ frames }) => normalizeFrames(frames))
    .find((frames) => frames.length > 0);
  return { type, frames: placed ?? [], message: messageShape(root.value ?? '') };
}

function normalizeFrames(frames: EventFrame[]): NormalizedFrame[] {
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
  const seen = new Set<string>();
  return named.filter(({ file, name }) => {
    const key = `${file} ${name ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Types that runtimes give to the same failure under several names. */
const SAME_TYPES: Record<string, string> = {
  boundserror: 'panic',
  runtimeerror: 'runtimeerror',
  errorstring: 'error',
  wraperror: 'error',
  fundamental: 'error',
  withstack: 'error',
  withmessage: 'error',
  unhandledrejection: 'error',
};

/** Name of a type without package, outer class and minification. */
function shortType(type: string): string {
  const name = type
    .replace(/^uncaught (?:\(in promise\) )?/i, '')
    .split(/[.\\/]|::|\$/)
    .at(-1)!
    .replace(/^[*&]/, '')
    .trim();
  const short = name.length <= 2 ? 'error' : name.toLowerCase();
  return SAME_TYPES[short] ?? short;
}
