import { Composer, type Document, LineCounter, Parser } from 'yaml';
import type { CheckerDiagnostic } from './diagnostic.ts';

/** Bytes of the largest file that is checked: the parser takes a kilobyte of memory for each. */
export const MAX_YAML_BYTES = 128 * 2 ** 10;
/** After this many errors a file is rather in another language. */
const MAX_DIAGNOSTICS = 100;

/** Errors and warnings in YAML of at most `MAX_YAML_BYTES`; anchors are counted, never resolved. */
export function checkYaml(text: string): CheckerDiagnostic[] {
  const { stackTraceLimit } = Error;
  // The parser makes an error object for each fault: tens of thousands of stack traces take most of its time.
  Error.stackTraceLimit = 0;
  try {
    return findProblems(text);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function findProblems(text: string): CheckerDiagnostic[] {
  const lines = new LineCounter();
  const found: CheckerDiagnostic[] = [];
  for (const { errors, warnings } of parseDocuments(text, lines)) {
    for (const problem of [...errors, ...warnings].slice(0, MAX_DIAGNOSTICS - found.length)) {
      found.push(toDiagnostic(problem, lines));
    }
    if (found.length === MAX_DIAGNOSTICS) break;
  }
  return found;
}

/** The one finding in a larger file. */
export const YAML_TOO_LARGE: CheckerDiagnostic = {
  line: 1,
  message: `This file is larger than ${MAX_YAML_BYTES / 2 ** 10} KB. It was not checked.`,
  severity: 'info',
  source: 'yaml too-large',
};

/** The documents of a text, each parsed when it is asked for. */
function* parseDocuments(text: string, lines: LineCounter): Generator<Document> {
  const composer = new Composer({ prettyErrors: false, logLevel: 'silent' });
  for (const token of new Parser(lines.addNewLine).parse(text)) yield* composer.next(token);
  yield* composer.end();
}

function toDiagnostic(
  problem: Document['errors' | 'warnings'][number],
  lines: LineCounter,
): CheckerDiagnostic {
  const [start, end] = problem.pos.map((offset) => lines.linePos(offset)) as [LinePosition, LinePosition];
  return {
    line: Math.max(1, start.line),
    column: Math.max(1, start.col),
    end_line: Math.max(1, end.line),
    end_column: Math.max(1, end.col),
    message: problem.message,
    severity: problem.name === 'YAMLWarning' ? 'warning' : 'error',
    source: `yaml ${problem.code.toLowerCase().replaceAll('_', '-')}`,
  };
}

interface LinePosition {
  line: number;
  col: number;
}
