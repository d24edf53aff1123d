import { findDefinitions } from '#assistant/tools/find-definitions.ts';
import type { CodePlace } from '#contract/code.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { searchLines } from '#search/expressions/search-lines.ts';

const MAX_DEFINITIONS = 50;
const MAX_REFERENCES = 200;
const MAX_MATCHES = 600;
const TIMEOUT_MS = 3_000;
const MAX_TEXT = 300;

/** Finds the definitions of a name and the lines that mention it, those of `path` and of its folder first. */
export async function findSymbolLines(
  repo: string,
  index: RepositoryIndex,
  { name, path, signal }: { name: string; path: string | undefined; signal: AbortSignal },
) {
  const { code } = index;
  const last = name.split(/\.|::|#/).at(-1)!;
  const found = code && findDefinitions(name.replaceAll(/::|#/g, '.'), code);
  const spans = (found?.passages ?? []).flatMap((passage) => spansOf(passage, code!));
  const whole = new RegExp(`(?<![\\w$])${last.replace(/\W/g, '\\$&')}(?![\\w$])`);
  const matches = await searchLines(
    repo,
    index,
    { fixed: [last] },
    {
      maxMatches: MAX_MATCHES,
      timeoutMs: TIMEOUT_MS,
      signal,
    },
  );
  const lines = matches.filter(({ text }) => whole.test(text));
  // The name is on the first line of a definition that has it: comments and decorators may precede.
  const definitions = spans
    .map((span) => ({ ...span, line: lines.find((line) => isInside(line, span))?.line ?? span.line }))
    .toSorted((a, b) => distance(a.path, path) - distance(b.path, path))
    .slice(0, MAX_DEFINITIONS)
    .map((span) => ({ ...span, text: textAt(lines, span) }));
  const defined = new Set(definitions.map((one) => `${one.path}:${one.line}`));
  const references = lines
    .filter((line) => !defined.has(`${line.path}:${line.line}`))
    .toSorted((a, b) => distance(a.path, path) - distance(b.path, path))
    .slice(0, MAX_REFERENCES)
    .map(({ text, ...place }) => ({ ...place, text: text.slice(0, MAX_TEXT) }));
  return {
    definitions,
    references,
    guessed: definitions.length > 1,
    partial: matches.length >= MAX_MATCHES || lines.length > MAX_REFERENCES + defined.size,
  };
}

interface Span {
  path: string;
  line: number;
  end: number;
  symbol: string;
}

function spansOf(passage: number, code: CodeTable): Span[] {
  const { start, end } = code.passageLines(passage);
  const symbol = code.passageSymbol(passage) ?? '';
  return code.passageFiles(passage).map((file) => ({ path: code.filePath(file), line: start, end, symbol }));
}

function isInside({ path, line }: CodePlace, span: Span): boolean {
  return path === span.path && line >= span.line && line <= span.end;
}

function textAt(lines: CodePlace[], span: Span): string {
  const line = lines.find((one) => one.path === span.path && one.line === span.line);
  return (line?.text ?? span.symbol).slice(0, MAX_TEXT);
}

/** Nearness of a file to the reader's: the file itself, its folder, source code, then tests and documents. */
function distance(path: string, from: string | undefined): number {
  if (path === from) return 0;
  const folder = (one: string) => one.slice(0, one.lastIndexOf('/') + 1);
  if (from !== undefined && folder(path) === folder(from)) return 1;
  return isNonSource(path) ? 3 : 2;
}
