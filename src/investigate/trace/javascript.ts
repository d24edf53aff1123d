import { messageAbove } from './collect-errors.ts';
import { type Frame, MAX_ERROR_MESSAGE_LENGTH, MAX_FRAMES, type TraceError } from './trace.ts';

/**
 * V8:               `at [async] [new ]symbol [as alias] (location)` or `at location`
 * Firefox, Safari:  `symbol@location`
 * vitest:           `❯ [symbol ]path:line:column`
 * node, on exit:    `path:line`, the line of code, `   ^`
 * TypeScript:       `path(line,column): error TS1: …` and `path:line:column - error TS1: …`
 * where location = `path[:line[:column]]`, possibly inside `eval at … (location), …`.
 */
const V8 = /^\s*at (?:async )?(.*?)(?: \{)?$/;
const V8_NAMED_FRAME = /^(?:new )?(.{1,300}?)(?: \[as [^\]]{1,100}\])? \((.{1,900})\)$/;
const FIREFOX = /^([^@\s(]{0,200})@((?:[a-z][a-z0-9+.-]{1,30}:\/\/|\/|\.{1,2}\/)[^\s]{1,800})$/i;
const VITEST = /^\s*❯ (?:(\S{1,200}) )?(\S{1,500}:\d{1,7}:\d{1,7})$/;
const EXIT_LOCATION = /^(\/\S{1,500}|[A-Za-z]:\\\S{1,500}|file:\/\/\S{1,500}|node:\S{1,200}):(\d{1,7})$/;
const TSC =
  /^([\w@./\\-]{1,300}\.[cm]?[jt]sx?)(?:\((\d{1,7}),(\d{1,7})\)|:(\d{1,7}):(\d{1,7}))(?: -|:) error (TS\d{1,6}): (.{1,900})$/;
/** `TypeError: …`, `Error [ERR_X]: …`, `Uncaught (in promise) …`, Chrome's `cart.js:12 Uncaught …`, Deno's `error: Uncaught …`; the name ends in Error, Exception or Warning. */
const HEADER =
  /^(?:\S{1,200}:\d{1,7} (?=Uncaught ))?(?:error: )?(?:Uncaught )?(?:\(in promise\) )?(?:\[cause\]: |Caused by: )?((?:[A-Za-z_$][\w$]{0,80}\.){0,4}[A-Za-z_$]?[\w$]{0,80}(?:Error|Exception|Warning))(?: \[([\w-]{1,80})\])*(?:: (.*))?$/;
const NESTED = /^\s*(?:\[cause\]|\[errors\]|Caused by|cause): (.*)$/;
const CODE = /^\s*code: ['"]([\w-]{1,80})['"],?$/;
/** A location without a function in a backtrace of Rust, whose frames in its own library are left out. */
const RUST_LOCATION = /\.rs:\d{1,7}(?::\d{1,7})?$/;
const LOCATION = /^(.*?):(\d{1,7})(?::(\d{1,7}))?$/;
const SCHEME =
  /^(?:webpack(?:-internal)?:\/\/[^/]*\/|file:\/\/(?:localhost)?|https?:\/\/[^/]{1,200}|rollup:\/\/\/?|vm:\/\/\/?|app:\/\/\/?)/i;

/** Parses traces of JavaScript and TypeScript: Node, browsers, test runners and the compiler. */
export function parseJavaScript(lines: string[]): TraceError[] {
  const errors: TraceError[] = [];
  let current: TraceError | null = null;
  let exit: Frame | null = null;
  let thrown: { exit: Frame; index: number } | null = null;
  const exits = new Map<TraceError, Frame>();
  for (const [index, line] of lines.entries()) {
    const frame = parseFrame(line);
    if (frame) {
      current ??= startError(errors, { type: null, message: messageAbove(lines, index), frames: [] });
      if (current.frames.length < MAX_FRAMES) current.frames.push(frame);
      continue;
    }
    const header = parseHeader(line);
    if (header) {
      current = startError(errors, header);
      if (exit) exits.set(current, exit);
      exit = null;
      continue;
    }
    const location = parseExitFrame(lines, index);
    if (location) thrown = { exit: location, index };
    exit = location ?? exit;
    const code = CODE.exec(line)?.[1];
    if (current && code) current.code ??= code;
  }
  if (errors.length === 0 && thrown) {
    const message = thrownValue(lines, thrown.index);
    if (message !== null) startError(errors, { type: null, message, frames: [thrown.exit] });
  }
  for (const [error, frame] of exits) addExitFrame(error.frames, frame);
  return errors.filter((error) => error.frames.length > 0 || error.type !== null);
}

/** Lines between the location of an uncaught value and the value itself. */
const MAX_EXIT_LINES = 5;

/** A value without a stack, such as a string, which node prints below the mark under the code; null without a mark. */
function thrownValue(lines: readonly string[], location: number): string | null {
  const mark = lines.findIndex((line, at) => at > location && /^\s*\^+\s*$/.test(line));
  if (mark < 0 || mark > location + MAX_EXIT_LINES) return null;
  const value = lines.slice(mark + 1).find((line) => line.trim() !== '');
  return value === undefined || /^\(Use `node/.test(value) ? null : value.slice(0, MAX_ERROR_MESSAGE_LENGTH);
}

/**
 * Adds the location that node prints above an uncaught error. A stack is more exact, since the error may have been thrown
 * again; the location of a syntax error is in no stack.
 */
function addExitFrame(frames: Frame[], exit: Frame): void {
  const same = frames.find(({ path, line }) => path === exit.path && line === exit.line);
  if (same) same.text ??= exit.text;
  else if (frames.every(({ path }) => /^(?:node:|internal\/)/.test(path))) frames.unshift(exit);
}

function startError(errors: TraceError[], error: TraceError): TraceError {
  // Test runners print a trace twice: in place and in the summary.
  const same = errors.find((other) => other.type === error.type && other.message === error.message);
  if (same) return same;
  errors.push(error);
  return error;
}

function parseHeader(line: string): TraceError | null {
  const diagnostic = TSC.exec(line);
  if (diagnostic) {
    const [, path, row, column, row2, column2, code, message] = diagnostic;
    const at = { line: Number(row ?? row2), column: Number(column ?? column2) };
    return { type: code!, message: message!, frames: [{ path: path!, ...at }] };
  }
  const bare = (NESTED.exec(line)?.[1] ?? line.trim()).replace(/^→ |^● |^× /, '');
  const header = HEADER.exec(bare);
  if (!header) return null;
  const [, type, code, message = ''] = header;
  return {
    type: type!,
    message: message.slice(0, MAX_ERROR_MESSAGE_LENGTH),
    ...(code && { code }),
    frames: [],
  };
}

function parseExitFrame(lines: string[], index: number): Frame | null {
  const place = EXIT_LOCATION.exec(lines[index]!);
  const text = lines[index + 1];
  if (!place || text === undefined) return null;
  const isMarked = /^\s*\^+\s*$/.test(lines[index + 2] ?? '');
  // Code that TypeScript's stripping of types rejects is marked at its beginning.
  if (!isMarked && !lines.slice(index + 1, index + MAX_EXIT_LINES).some((line) => /^\s*> \S/.test(line)))
    return null;
  return {
    path: normalizeModulePath(place[1]!),
    line: Number(place[2]),
    ...(isMarked && { text: text.trim() }),
  };
}

function parseFrame(line: string): Frame | null {
  const v8 = V8.exec(line);
  if (v8) return parseV8Frame(v8[1]!);
  const vitest = VITEST.exec(line);
  if (vitest) return toFrame(vitest[2]!, vitest[1]);
  const firefox = FIREFOX.exec(line);
  if (firefox) return toFrame(firefox[2]!, firefox[1]?.replaceAll(/[/<*]+$/g, ''));
  return null;
}

function parseV8Frame(text: string): Frame | null {
  const named = V8_NAMED_FRAME.exec(text);
  if (!named) return RUST_LOCATION.test(text) ? null : toFrame(text, undefined);
  const [, symbol, location] = named;
  // Evaluated code is placed at the call of eval.
  const inner = /^eval at .{1,400}\((.{1,400}?)\)/.exec(location!)?.[1] ?? location!;
  return toFrame(inner, symbol);
}

function toFrame(location: string, symbol: string | undefined): Frame | null {
  const match = LOCATION.exec(location);
  if (!match?.[1] || /^(?:<anonymous>|native|index \d+)/.test(match[1])) return null;
  const [, path, line, column] = match;
  const name = symbol?.replace(/^(?:Object|Module|exports|module\.exports)\./, '').replace(/^async /, '');
  return {
    path: normalizeModulePath(path!),
    line: Number(line),
    ...(column && { column: Number(column) }),
    ...(name && !/^(?:<anonymous>|anonymous|Object|eval)$/.test(name) && { symbol: name }),
  };
}

function normalizeModulePath(path: string): string {
  const bare = path
    .replace(SCHEME, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  return bare.replace(/^(?:\([\w-]{1,30}\)\/)?(?:\.{1,2}\/)+/, '');
}
