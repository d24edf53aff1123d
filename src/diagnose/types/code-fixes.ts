import ts from 'typescript-api';
import type { CheckerFix } from '../diagnostic.ts';

/** Findings that fixes are computed for, and fixes of each. */
const MAX_FINDINGS = 30;
const MAX_FIXES = 4;
/** Milliseconds for all of them. */
const BUDGET_MS = 800;

const PREFERENCES: ts.UserPreferences = { includeCompletionsForModuleExports: true, quotePreference: 'auto' };

/** Quick fixes by finding: those that change this file alone. */
export function findFixes(
  service: ts.LanguageService,
  source: ts.SourceFile,
  findings: readonly ts.Diagnostic[],
): Map<ts.Diagnostic, { fixes: CheckerFix[] }> {
  const format = formatSettings(source.text);
  const until = performance.now() + BUDGET_MS;
  const found = new Map<ts.Diagnostic, { fixes: CheckerFix[] }>();
  for (const finding of findings.slice(0, MAX_FINDINGS)) {
    if (performance.now() > until) break;
    const { start = 0, length = 0, code } = finding;
    const fixes = service
      .getCodeFixesAtPosition(source.fileName, start, start + length, [code], format, PREFERENCES)
      .flatMap((action) => toFix(action, source))
      .slice(0, MAX_FIXES);
    if (fixes.length > 0) found.set(finding, { fixes });
  }
  return found;
}

function toFix({ description, changes }: ts.CodeFixAction, source: ts.SourceFile): CheckerFix[] {
  const [change, ...others] = changes;
  if (!change || others.length > 0 || change.isNewFile || change.fileName !== source.fileName) return [];
  const edits = change.textChanges.map(({ span, newText }) => {
    const from = source.getLineAndCharacterOfPosition(span.start);
    const to = source.getLineAndCharacterOfPosition(span.start + span.length);
    return {
      line: from.line + 1,
      column: from.character + 1,
      end_line: to.line + 1,
      end_column: to.character + 1,
      text: newText,
    };
  });
  return [{ title: description, edits }];
}

/** Format of the file: its line ends and its indentation. */
function formatSettings(text: string): ts.FormatCodeSettings {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text.slice(0, 20_000)) ?? [];
  const size = indent.startsWith('\t') ? 4 : Math.min(Math.max(indent.length, 2), 8);
  return {
    ...ts.getDefaultFormatCodeSettings(text.includes('\r\n') ? '\r\n' : '\n'),
    convertTabsToSpaces: !indent.startsWith('\t'),
    indentSize: size,
    tabSize: size,
    semicolons: ts.SemicolonPreference.Ignore,
  };
}
