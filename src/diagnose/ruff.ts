import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import type { CheckerDiagnostic } from './diagnostic.ts';

/** What is wrong, not what is a matter of taste: syntax, names, likely bugs. */
const RULES = { lint: { select: ['E9', 'F', 'B', 'PLE'] } };

interface RuffDiagnostic {
  code: string | null;
  message: string;
  start_location: { row: number; column: number };
  end_location: { row: number; column: number };
}

/** Syntax errors and likely mistakes in Python, by rules of our own. Throws on text that it can't take, like Biome. */
export function checkWithRuff(text: string): CheckerDiagnostic[] {
  const workspace = new Workspace(RULES, PositionEncoding.Utf16);
  const found = workspace.check(text) as RuffDiagnostic[];
  workspace.free();
  return found.map(({ code, message, start_location, end_location }) => ({
    line: start_location.row,
    column: start_location.column,
    end_line: end_location.row,
    end_column: end_location.column,
    message,
    severity: isError(code) ? 'error' : 'warning',
    source: `ruff ${code ?? 'syntax'}`,
  }));
}

/** Syntax, and names that are not there: the program stops. */
function isError(code: string | null): boolean {
  return code === null || /^(?:invalid-syntax|E9\d*|F82\d|F70\d|PLE)/.test(code);
}
