import { Composer, type Document, LineCounter, Parser } from 'yaml';
import type { CheckerDiagnostic } from './diagnostic.ts';

/** Size of the largest checked file: the parser takes a kilobyte of memory per byte. */
export const MAX_YAML_BYTES = 128 * 2 ** 10;
/** A file with more errors is probably in another language. */
const MAX_DIAGNOSTICS = 100;

/** Checks YAML of at most `MAX_YAML_BYTES`; anchors are counted, never resolved. */
export function checkYaml(text: string): CheckerDiagnostic[] {
  const { stackTraceLimit } = Error;
  // The parser creates an error object per problem, and collecting their stack traces takes most of its time.
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

/** The diagnostic for a larger file. */
export const YAML_TOO_LARGE: CheckerDiagnostic = {
  line: 1,
  message: `This file is larger than ${MAX_YAML_BYTES / 2 ** 10} KB. It was not checked.`,
  severity: 'info',
  source: 'yaml too-large',
};

/** Parses the documents of a text lazily. */
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
