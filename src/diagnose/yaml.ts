import { Composer, type Document, LineCounter, Parser } from 'yaml';
import type { Diagnostic } from './diagnostic.ts';

/** Bytes of the largest file that is checked: the parser takes a kilobyte of memory for each. */
export const MAX_YAML_BYTES = 128 * 2 ** 10;
/** After this many errors a file is rather in another language. */
const MAX_FOUND = 100;

/** Errors and warnings in YAML of at most `MAX_YAML_BYTES`; anchors are counted, never resolved. */
export function checkYaml(text: string): Diagnostic[] {
  const { stackTraceLimit } = Error;
  // The parser makes an error object for each fault: tens of thousands of stack traces take most of its time.
  Error.stackTraceLimit = 0;
  try {
    return findFaults(text);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function findFaults(text: string): Diagnostic[] {
  const lines = new LineCounter();
  const found: Diagnostic[] = [];
  for (const { errors, warnings } of documentsOf(text, lines)) {
    for (const problem of [...errors, ...warnings].slice(0, MAX_FOUND - found.length)) {
      found.push(describe(problem, lines));
    }
    if (found.length === MAX_FOUND) break;
  }
  return found;
}

/** The one finding in a larger file. */
export const YAML_TOO_LARGE: Diagnostic = {
  line: 1,
  message: `This file is larger than ${MAX_YAML_BYTES / 2 ** 10} KB. It was not checked.`,
  severity: 'info',
  source: 'yaml too-large',
};

/** The documents of a text, each parsed when it is asked for. */
function* documentsOf(text: string, lines: LineCounter): Generator<Document> {
  const composer = new Composer({ prettyErrors: false, logLevel: 'silent' });
  for (const token of new Parser(lines.addNewLine).parse(text)) yield* composer.next(token);
  yield* composer.end();
}

function describe(problem: Document['errors' | 'warnings'][number], lines: LineCounter): Diagnostic {
  const [start, end] = problem.pos.map((offset) => lines.linePos(offset)) as [Place, Place];
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

interface Place {
  line: number;
  col: number;
}
