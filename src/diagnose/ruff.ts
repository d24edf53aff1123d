import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import type { CheckerDiagnostic, CheckerFix } from './diagnostic.ts';

/** Correctness rules only: syntax, names, likely bugs. */
const RULES = { lint: { select: ['E9', 'F', 'B', 'PLE'] } };

interface RuffDiagnostic {
  code: string | null;
  message: string;
  start_location: RuffPosition;
  end_location: RuffPosition;
  fix: {
    message: string | null;
    edits: { content: string | null; location: RuffPosition; end_location: RuffPosition }[];
  } | null;
}

interface RuffPosition {
  row: number;
  column: number;
}

/** Checks Python for syntax errors and likely mistakes. Throws on text that Ruff cannot parse. */
export function checkWithRuff(text: string): CheckerDiagnostic[] {
  const workspace = new Workspace(RULES, PositionEncoding.Utf16);
  const diagnostics = workspace.check(text) as RuffDiagnostic[];
  workspace.free();
  return diagnostics.map(({ code, message, start_location, end_location, fix }) => ({
    line: start_location.row,
    column: start_location.column,
    end_line: end_location.row,
    end_column: end_location.column,
    message,
    severity: isError(code) ? 'error' : 'warning',
    source: `ruff ${code ?? 'syntax'}`,
    ...(fix && { fixes: [toFix(fix)] }),
  }));
}

function toFix({ message, edits }: NonNullable<RuffDiagnostic['fix']>): CheckerFix {
  return {
    title: message ?? '',
    edits: edits.map(({ content, location, end_location }) => ({
      line: location.row,
      column: location.column,
      end_line: end_location.row,
      end_column: end_location.column,
      text: content ?? '',
    })),
  };
}

/** True for syntax errors and undefined names, which stop the program. */
function isError(code: string | null): boolean {
  return code === null || /^(?:invalid-syntax|E9\d*|F82\d|F70\d|PLE)/.test(code);
}
