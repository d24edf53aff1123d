/**
 * Languages with a trace parser, each for a family (`java` includes Kotlin, `c` includes C++); `null` in a trace means
 * that only words and file mentions were found.
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
  | 'php'
  | 'perl'
  | 'lua'
  | 'elixir'
  | 'dart'
  | 'haskell'
  | 'julia'
  | 'ocaml'
  | 'tcl'
  | 'powershell'
  | 'nim'
  | 'crystal'
  | 'shell';

/** A frame of a stack trace. */
export interface Frame {
  /** As printed, without `file://` and the like; it may be a path of another machine. */
  path: string;
  /** Counted from 1; null when the trace names only the file. */
  line: number | null;
  column?: number;
  /** Function as printed, such as `Session.request`; absent at the top level. */
  symbol?: string;
  /** The line of code, if the trace prints it. */
  text?: string;
}

/** One error of a chain. */
export interface TraceError {
  /** `TypeError`, `requests.exceptions.InvalidURL`; null when the text names none. */
  type: string | null;
  message: string;
  /** A machine-readable code printed with it: `ERR_INVALID_ARG_TYPE`. */
  code?: string;
  frames: Frame[];
}

/** A parsed error text, before anything is looked up in the repository. */
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

/** Parses the traces of one language; returns the principal error first, [] when there is none. */
export type TraceParser = (lines: string[]) => TraceError[];

/** Longer messages are truncated; the rest is data, not words. */
export const MAX_ERROR_MESSAGE_LENGTH = 1000;
/** Frames kept per error; of a deep recursion, the ends suffice. */
export const MAX_FRAMES = 100;
