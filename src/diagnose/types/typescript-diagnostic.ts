import ts from 'typescript-api';
import type { CheckerDiagnostic } from '../diagnostic.ts';

/** Lines of an explanation that are kept; the last ones repeat whole types. */
const MAX_MESSAGE_LINES = 3;

/** Findings that the compiler reports beside the types: unused names and unreachable code. */
const WARNINGS = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205, 7027, 7028, 7029, 7030]);

/** Converts a finding of the compiler. */
export function toDiagnostic(found: ts.Diagnostic, text: string): CheckerDiagnostic {
  const { file, start = 0, length = 0, code, messageText } = found;
  const from = file?.getLineAndCharacterOfPosition(start);
  const to = file?.getLineAndCharacterOfPosition(Math.min(start + length, text.length));
  return {
    line: (from?.line ?? 0) + 1,
    column: (from?.character ?? 0) + 1,
    end_line: (to?.line ?? 0) + 1,
    end_column: (to?.character ?? 0) + 1,
    message: ts
      .flattenDiagnosticMessageText(messageText, '\n')
      .split('\n')
      .slice(0, MAX_MESSAGE_LINES)
      .join('\n'),
    severity: WARNINGS.has(code) ? 'warning' : 'error',
    source: `typescript ${code}`,
  };
}
