import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Diagnostic, Workspace } from '@biomejs/wasm-nodejs';
import { readFixes } from './biome-fixes.ts';
import type { CheckerDiagnostic } from './diagnostic.ts';

// The package is CommonJS that names its exports in a way that `import` does not see.
const { Biome } = createRequire(import.meta.url)(
  '@biomejs/js-api/nodejs',
) as typeof import('@biomejs/js-api/nodejs');

/** Correctness rules only, no style rules. */
const RULES = {
  recommended: false,
  correctness: { recommended: true },
  suspicious: { recommended: true },
  security: { recommended: true },
};

/** Above the size of any editable file; Biome skips larger ones. */
const MAX_BYTES = 2 ** 22;
/** Texts so small are checked once, with fixes. */
const MAX_SMALL_BYTES = 2 ** 14;
/** Bytes of all texts in fixes. */
const MAX_FIX_BYTES = 2 ** 24;

/**
 * Checks JavaScript, TypeScript, JSX, JSON and CSS for syntax errors and likely mistakes. Throws on text that Biome
 * cannot parse, such as a thousand brackets in a row, after which it no longer works in this process.
 */
export function checkWithBiome(path: string, text: string): CheckerDiagnostic[] {
  const biome = new Biome();
  const { projectKey } = biome.openProject('/');
  biome.applyConfiguration(projectKey, {
    files: { maxSize: MAX_BYTES },
    linter: { enabled: true, rules: RULES },
  });
  // A fixed name, since the path must not select settings.
  const filePath = `file${extname(path).toLowerCase()}`;
  const { workspace } = biome as unknown as { workspace: Workspace };
  // `lintContent` leaves out the fixes.
  workspace.openFile({
    projectKey,
    path: filePath,
    content: { type: 'fromClient', content: text, version: 0 },
  });
  const pull = (includeCodeFix: boolean) =>
    workspace.pullDiagnostics({
      ...{ projectKey, path: filePath, categories: ['syntax', 'lint', 'action'] },
      ...{ pullCodeActions: false, includeCodeFix },
    }).diagnostics;
  const bytes = Buffer.from(text);
  const diagnostics = bytes.length <= MAX_SMALL_BYTES ? pull(true) : pullWithinBudget(bytes.length, pull);
  biome.shutdown();
  const positionAt = createPositionLookup(bytes);
  return diagnostics.map(({ category, severity, description, location, advices }) => {
    const [from, to] = location.span ?? [0, 0];
    const [start, end] = [positionAt(from), positionAt(to)];
    const fixes = readFixes(advices.advices, bytes, positionAt);
    return {
      ...start,
      end_line: end.line,
      end_column: end.column,
      message: description,
      severity: severityOf(severity),
      source: `biome ${category?.split('/').at(-1) ?? 'parse'}`,
      ...(fixes.length > 0 && { fixes }),
    };
  });
}

/** Findings of a large text, with their fixes unless those are too many: each comes with the whole text. */
function pullWithinBudget(length: number, pull: (withFixes: boolean) => Diagnostic[]): Diagnostic[] {
  const found = pull(false);
  const isFixable = found.some(({ tags }) => tags.includes('fixable'));
  return isFixable && found.length * length <= MAX_FIX_BYTES ? pull(true) : found;
}

function severityOf(severity: string): CheckerDiagnostic['severity'] {
  if (severity === 'fatal' || severity === 'error') return 'error';
  return severity === 'warning' ? 'warning' : 'info';
}

/** Creates a function from UTF-8 byte offsets, which Biome reports, to line and column, both from 1. */
function createPositionLookup(bytes: Buffer): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: bytes.toString('utf8', starts[low], offset).length + 1 };
  };
}
