import { LineCounter, parseAllDocuments } from 'yaml';
import type { Diagnostic } from './diagnostic.ts';

/** Errors and warnings in YAML; anchors are counted, never resolved. */
export function checkYaml(text: string): Diagnostic[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map((problem): Diagnostic => {
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
    }),
  );
}

interface Place {
  line: number;
  col: number;
}
