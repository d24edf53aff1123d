import { type Frame, MAX_FRAMES, MAX_MESSAGE_LENGTH, type TraceError } from './trace.ts';

/** What one language's readers know of a line; `index` is the line's place among `lines`. */
export interface LineParsers {
  /** The error that begins on this line. */
  header(line: string, index: number, lines: readonly string[]): TraceError | null;
  /** The step of the stack that is on this line (and, where a language writes two lines a step, the one below). */
  frame(line: string, index: number, lines: readonly string[]): Frame | null;
}

/**
 * Files of the languages' own libraries, by where compilers say they were or by their packages: a file of the
 * repository with the same name would be taken for them.
 */
const RUNTIME_PATH =
  /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|groovy)\/|(?:^|\/)(?:rustc\/[0-9a-f]{8,40}|go\/src\/(?:runtime|testing|internal|net|os|sync|syscall)|lib\/ruby\/\d|glibc[\w.-]{0,40}|sysdeps)\//;

/** Errors of more text than this would be cut out of logs, not out of one report. */
const MAX_ERRORS = 50;

/**
 * Puts together what a language's readers find: a header begins an error, the frames below belong to it, and the
 * same error printed again adds what is new. Frames in a language's own libraries are left out. In the order of printing; a stack without a header is an error too.
 */
export function collectErrors(lines: readonly string[], readers: LineParsers): TraceError[] {
  const errors: TraceError[] = [];
  let current: TraceError | null = null;
  for (const [index, line] of lines.entries()) {
    const header = readers.header(line, index, lines);
    if (header) {
      const begun = { ...header, message: header.message.slice(0, MAX_MESSAGE_LENGTH) };
      current = errors.find(({ type, message }) => type === begun.type && message === begun.message) ?? begun;
      if (current !== begun) current.frames.push(...begun.frames);
      else if (errors.length < MAX_ERRORS) errors.push(begun);
      continue;
    }
    const frame = readers.frame(line, index, lines);
    if (!frame || RUNTIME_PATH.test(frame.path)) continue;
    if (!current) {
      current = { type: null, message: '', frames: [] };
      errors.push(current);
    }
    if (current.frames.length < MAX_FRAMES) current.frames.push(frame);
  }
  return errors.filter(({ type, frames }) => type !== null || frames.length > 0);
}

/** A path as git writes it: slashes forward, nothing before the first folder. */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/^(?:\.{1,2}\/)+/, '');
}
