import { findRaiseStatement, statementEnd } from '../guard/raise-statement.ts';
import { findEnclosingFunction } from '../locate/enclosing-function.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { Trace } from '../trace/trace.ts';

/** Contents of a line by what the trace says about it. */
export interface LineExpectation {
  /** Line as printed, and the column where it is that of a name: V8 prints it. */
  line: number;
  column: number | null;
  /** Code as printed; decides alone where it is known. */
  text: string | null;
  /** Name of the function around the line; null where it has none of its own. */
  symbol: string | null;
  /** Names of code on the line: the function that it calls, the member that was absent. */
  names: string[];
  /** Message of the error, for the line that may raise it. */
  message: string | null;
  path: string;
}

/** Name of a function that a line calls by the same name; others are called by another name, or by none. */
const PLAIN_NAME = /^[A-Za-z_$][\w$]{2,}$/;
const IMPLICIT_NAME =
  /^(?:__\w+__|initialize|constructor|call|apply|bind|new|invoke|func\d+|lambda\$?\w*|anonymous|eval|main|init|each|map|forEach|proxy)$/;
/** Names that a message of a runtime takes from the failing line. */
const NAMES_IN_MESSAGE = [
  /\(reading '([\w$]+)'\)/,
  /Cannot read propert(?:y|ies) '([\w$]+)' of/,
  /([\w$]+)(?:\(\.\.\.\))? is not (?:a function|a constructor|defined|iterable)/,
  /has no attribute '(\w+)'/,
  /name '(\w+)' is not defined/,
  /undefined (?:local variable or )?method [`']([\w?!]+)'/,
  /Cannot (?:invoke|read field) "(?:[\w$.<>[\]]*[.])?([\w$]+)(?:\(|" because)/,
  /Undefined (?:variable \$|property: [\w\\]+::\$)(\w+)/,
  /Call to (?:undefined|a member) (?:method|function) (?:[\w\\]+::)?(\w+)\(/,
];
/** Share of the message that a literal of the raising line covers. */
const MIN_RAISED_SHARE = 0.5;
/** Lines above a printed one on which its statement may begin. */
const MAX_LINES_ABOVE = 3;

/** Names of code that the trace gives for the line of a frame: the function that it calls, and those in the message of the innermost one. */
export function namesOnLine(trace: Trace, depth: number, isFailing: boolean): string[] {
  const inner = depth > 0 ? shortName(trace.frames[depth - 1]?.symbol) : null;
  return [...(inner === null ? [] : [inner]), ...(isFailing ? namesInMessage(trace.message) : [])];
}

/** Expectations about the lines of the frames in one file; the first is the failing line. */
export function expectLines(trace: Trace, frames: readonly PlacedFrame[]): LineExpectation[] {
  return frames.map(({ frame, depth, path }, at) => {
    return {
      ...{
        line: frame.line!,
        column: frame.column ?? null,
        text: frame.text ?? null,
        symbol: shortName(frame.symbol),
        path,
      },
      names: namesOnLine(trace, depth, at === 0),
      message: at === 0 ? trace.message : null,
    };
  });
}

function namesInMessage(message: string): string[] {
  return NAMES_IN_MESSAGE.flatMap((pattern) => pattern.exec(message)?.[1] ?? []).slice(0, 1);
}

function shortName(symbol: string | undefined): string | null {
  const name =
    symbol
      ?.replace(/\(.*$/, '')
      .split(/[.#:>\\ ]+/)
      .at(-1) ?? '';
  return PLAIN_NAME.test(name) && !IMPLICIT_NAME.test(name) ? name : null;
}

/** True where a version of the file has the expected line, false where it cannot, null where nothing tells. */
export function fitsVersion(lines: readonly string[], expected: LineExpectation): boolean | null {
  const { line, column, text, symbol, names, message, path } = expected;
  const own = lines[line - 1];
  if (own === undefined) return false;
  if (text !== null) return own.trim() === text;
  const around = symbol === null ? null : (findEnclosingFunction(lines, line)?.name ?? null);
  if (symbol !== null && around !== null && around !== symbol) return false;
  const raised = message === null ? null : findRaiseStatement(lines, line, { path, message });
  if (raised && raised.share >= MIN_RAISED_SHARE) return true;
  if (names.length === 0) return null;
  if (column !== null) {
    const called = own.slice(column - 1).replace(/^new\s+(?:[\w$]+\.)*/, '');
    return names.some((name) => called.startsWith(name));
  }
  const statement = lines.slice(line - 1, statementEnd(lines, line));
  if (names.some((name) => hasName(statement, name))) return true;
  const above = lines.slice(Math.max(0, line - 1 - MAX_LINES_ABOVE), line - 1);
  return names.some((name) => hasName(above, name)) ? null : false;
}

function hasName(lines: readonly string[], name: string): boolean {
  const pattern = new RegExp(`(?<![\\w$])${name.replace(/[$?!]/g, '\\$&')}(?![\\w$])`);
  return lines.some((text) => pattern.test(text));
}
