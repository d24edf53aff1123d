import { type Frame, MAX_ERROR_MESSAGE_LENGTH, MAX_FRAMES, type TraceError } from './trace.ts';

/** Line parsers of one language; `index` is the line's index in `lines`. */
interface LineParsers {
  /** The error that starts on this line. */
  header(line: string, index: number, lines: readonly string[]): TraceError | null;
  /** The frame on this line, and on the next where a language prints frames on two lines. */
  frame(line: string, index: number, lines: readonly string[]): Frame | null;
}

/** Runtime libraries of the languages, which must not be resolved to repository files of the same name. */
const RUNTIME_PATH =
  /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|groovy)\/|(?:^|\/)(?:rustc\/[0-9a-f]{8,40}|go\/src\/(?:runtime|testing|internal|net|os|sync|syscall)|lib\/ruby\/\d|glibc[\w.-]{0,40}|sysdeps)\//;

/** More errors than this are a log, not a report. */
const MAX_ERRORS = 50;

/**
 * Collects errors from line parsers: a header starts an error, the frames below belong to it, and the
 * same error printed again adds what is new. Frames in a language's own libraries are left out. In the order of printing; a stack without a header is an error too.
 */
export function collectErrors(lines: readonly string[], parsers: LineParsers): TraceError[] {
  const errors: TraceError[] = [];
  let current: TraceError | null = null;
  for (const [index, line] of lines.entries()) {
    const header = parsers.header(line, index, lines);
    if (header) {
      const started = { ...header, message: header.message.slice(0, MAX_ERROR_MESSAGE_LENGTH) };
      current =
        errors.find(({ type, message }) => type === started.type && message === started.message) ?? started;
      if (current !== started) current.frames.push(...started.frames);
      else if (errors.length < MAX_ERRORS) errors.push(started);
      continue;
    }
    const frame = parsers.frame(line, index, lines);
    if (!frame || RUNTIME_PATH.test(frame.path)) continue;
    if (!current) {
      current = { type: null, message: messageAbove(lines, index), frames: [] };
      errors.push(current);
    }
    if (current.frames.length < MAX_FRAMES) current.frames.push(frame);
  }
  return errors.filter(({ type, frames }) => type !== null || frames.length > 0);
}

/** A hint of the runtime below a message, such as Ruby's `Did you mean?  first`. */
const HINT = /^Did you mean\?/;
const HEADING = /^[\w ]{0,40}trace:$/i;
/** Files that required a module in vain, which node lists below the message. */
const REQUIRING_FILE = /^(?:Require stack:|- \S*[\\/]\S*)$/;

/** The message above a stack without a header, as loggers and runners print it; empty below a heading, `Stack trace:`. */
export function messageAbove(lines: readonly string[], index: number): string {
  let from = index - 1;
  while (from >= 0 && REQUIRING_FILE.test(lines[from]!.trim())) from--;
  for (let above = from; above >= 0 && above > from - 3; above--) {
    const line = lines[above]!.trim();
    if (HEADING.test(line)) return '';
    if (line !== '' && !HINT.test(line)) return line.slice(0, MAX_ERROR_MESSAGE_LENGTH);
  }
  return '';
}

/** Normalizes a path to git's form: forward slashes, without scheme or leading dots. */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/^(?:\.{1,2}\/)+/, '');
}
