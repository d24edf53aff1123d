/**
 * Languages whose traces are understood, each with its kin (`java` is Kotlin too, `c` is C++); `null` in a trace means
 * that only words and places could be read.
 */
export type TraceLanguage =
  | 'javascript'
  | 'python'
  | 'java'
  | 'go'
  | 'rust'
  | 'c'
  | 'csharp'
  | 'ruby'
  | 'php';

/** One step of a stack: where the program was. */
export interface Frame {
  /** As printed, without `file://` and the like; it may name another machine's folder. */
  path: string;
  /** Counted from 1; null when the trace names only the file. */
  line: number | null;
  column?: number;
  /** Function as printed, such as `Session.request`; absent at the top level. */
  symbol?: string;
  /** The line of code when the trace prints it. */
  text?: string;
}

/** One error of a chain. */
export interface TraceError {
  /** `TypeError`, `requests.exceptions.InvalidURL`; null when the text names none. */
  type: string | null;
  message: string;
  /** A machine-readable code printed beside it: `ERR_INVALID_ARG_TYPE`. */
  code?: string;
  frames: Frame[];
}

/** What a pasted text says, before anything is looked up in the repository. */
export interface Trace {
  language: TraceLanguage | null;
  errorType: string | null;
  message: string;
  code?: string;
  /** Innermost first; the frames of causes follow those of the error itself. */
  frames: Frame[];
  /** Errors that led to this one, or that it led to. */
  related: TraceError[];
  /** The text without log prefixes and escape sequences, one entry a line. */
  lines: string[];
}

/** Reads one language's traces out of cleaned lines; errors with the principal one first, [] when there is none. */
export type TraceParser = (lines: string[]) => TraceError[];

/** Longest message that is kept; the rest of a longer one is data, not words. */
export const MAX_MESSAGE_LENGTH = 1000;
/** Frames that are kept of one error: the ends of a deep recursion tell everything. */
export const MAX_FRAMES = 100;
