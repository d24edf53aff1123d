import { collectErrors, normalizePath } from './collect-errors.ts';
import type { Frame, TraceError } from './trace.ts';

/**
 * error = `message at path line 12[, <STDIN> line 3].` { frame }
 * frame = `⇥Package::name(args) called at path line 12`; other loggers: `  File "path", line 12, in "Package::name"`
 * The first line names the caller where the statement was `croak`, and the statement itself where it was `die`.
 */
const LINE = /^(\d{1,7})(?:, <[^<>]{1,40}> (?:line|chunk) \d{1,9})?(?:\.|, (?:near|at) .{0,200})?$/;
const CALLER = /^\s+(?:(\w[\w:]{0,200})|eval \{)/;
const LISTED = /^\s{1,8}File "([^"]{1,400})", line (\d{1,7}), in "([\w:]{1,200})"$/;
/** Files of Perl, and what `perl -e` and generated code are called. */
const FILE = /\.(?:p[lm]|t|psgi|cgi|fcgi|perl)$|^(?:-e|-|\(eval \d{1,9}\))$/;
/** Lines of code that a logger prints between a message and its frames, and one more. */
const MAX_CODE_LINES = 16;
/** A place itself, behind which the line of an input is printed: `cart.pl line 8, <$fh> line 2`. */
const PLACE = / line \d/;
/** Length of what may follow the place on its line. */
const MAX_TAIL_LENGTH = 300;
/** Ends of a compilation that repeat the error above them. */
const REPEATED = /^(?:BEGIN failed--compilation aborted|Compilation failed in require)\b/;

/** Parses messages of Perl, with the calls of Carp. */
export function parsePerl(lines: string[]): TraceError[] {
  return collectErrors(lines, { header, frame }).map((error) => ({
    ...error,
    frames: shiftNames(error.frames),
  }));
}

/** Names every frame by the function that runs there: Perl prints the function that was called from it. */
function shiftNames(frames: Frame[]): Frame[] {
  return frames.map(({ path, line }, depth) => {
    const symbol = frames[depth + 1]?.symbol;
    return { path, line, ...(symbol && { symbol }) };
  });
}

function header(line: string, index: number, lines: readonly string[]): TraceError | null {
  if (/^\s/.test(line) || REPEATED.test(line)) return null;
  const printed = splitPlace(line, ' at ');
  if (!printed) return null;
  const { before, path, row } = printed;
  const hasCalls = () =>
    lines.slice(index + 1, index + MAX_CODE_LINES).some((below) => frame(below) !== null);
  return FILE.test(path) || hasCalls() ? { type: null, message: before, frames: [toFrame(path, row)] } : null;
}

function frame(line: string): Frame | null {
  const caller = CALLER.exec(line);
  const called = caller && splitPlace(line, ' called at ');
  if (called) return toFrame(called.path, called.row, caller[1]);
  const listed = LISTED.exec(line);
  return listed && toFrame(listed[1]!, listed[2]!, listed[3]);
}

/** Splits `… at path line 12` at the last place of a line; null for other lines. Searched by index, since patterns would backtrack. */
function splitPlace(line: string, word: string): { before: string; path: string; row: string } | null {
  for (let to = line.lastIndexOf(' line '); to > 0; to = line.lastIndexOf(' line ', to - 1)) {
    const row = LINE.exec(line.slice(to + ' line '.length))?.[1];
    const from = row ? line.lastIndexOf(word, to) : -1;
    const path = from > 0 ? line.slice(from + word.length, to).trim() : '';
    if (row && path && !PLACE.test(path)) return { before: line.slice(0, from), path, row };
    if (line.length - to > MAX_TAIL_LENGTH) return null;
  }
  return null;
}

function toFrame(path: string, line: string, name?: string): Frame {
  const symbol = name?.split('::').slice(-2).join('.');
  return {
    path: normalizePath(path),
    line: Number(line),
    ...(symbol && !/__ANON__|^eval$/.test(symbol) && { symbol }),
  };
}
