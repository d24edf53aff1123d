import type { z } from 'zod';
import { type codeResult, MAX_FRAGMENTS, type SearchFragment } from '#contract/search-results.ts';
import { isNonSource } from '#evolution/fixes.ts';
import { literalQuery } from '#memory/index/trigrams/trigram-query.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Candidates } from './candidates.ts';
import { type MarkRange, markOccurrences, toFragmentLine } from './marks.ts';
import { fileFilter, type ProjectSearch, type SearchedProject } from './search-scope.ts';

/** Matching lines of all projects together, after which a search stops. */
const MAX_LINES = 500;
const MIN_LINES_PER_PROJECT = 40;
const TIMEOUT_MS = 2_000;

/** A line of a file with the lines beside it, for as far as they are known. */
export interface MatchingLine {
  line: number;
  text: string;
  marks: MarkRange[];
  before: string | null;
  after: string | null;
}

/** Files of a project with lines that contain a text as it is. */
export async function findExactCode(
  project: SearchedProject,
  search: ProjectSearch,
  projectCount: number,
): Promise<Candidates> {
  const { code } = project.index;
  if (!code || search.text === '') return { found: [], complete: true };
  const accepts = fileFilter(code, search.filters);
  const files = code.candidateFiles(literalQuery([search.text])) ?? allFiles(code);
  const limit = Math.max(MIN_LINES_PER_PROJECT, Math.floor(MAX_LINES / projectCount));
  const deadline = performance.now() + TIMEOUT_MS / projectCount;
  const found: Candidates['found'] = [];
  let lineCount = 0;
  let complete = true;
  for (const file of files) {
    if (accepts && !accepts(file)) continue;
    complete = lineCount < limit && performance.now() < deadline;
    if (!complete) break;
    await yieldIfDue(search.signal);
    const lines = await findLines(code, file, search.text, (passage) => project.readText(passage, file));
    if (lines.length === 0) continue;
    lineCount += lines.length;
    found.push(toCandidate(project.id, code, { file, lines, text: search.text }));
  }
  return { found, complete };
}

const allFiles = (code: CodeTable) => Array.from({ length: code.fileCount }, (_, file) => file);

async function findLines(
  code: CodeTable,
  file: number,
  text: string,
  read: (passage: number) => Promise<string>,
): Promise<MatchingLine[]> {
  const { first, count } = code.filePassages(file);
  const found = new Map<number, MatchingLine>();
  for (let passage = first; passage < first + count; passage++) {
    const content = await read(passage);
    if (!content.includes(text)) continue;
    const { start } = code.passageLines(passage);
    const lines = content.split('\n');
    lines.forEach((line, at) => {
      const marks = markOccurrences(line, text);
      if (marks.length === 0 || found.has(start + at)) return;
      const [before, after] = [lines[at - 1] ?? null, lines[at + 1] ?? null];
      found.set(start + at, { line: start + at, text: line, marks, before, after });
    });
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

interface ExactFile {
  file: number;
  lines: MatchingLine[];
  text: string;
}

function toCandidate(
  projectId: string,
  code: CodeTable,
  { file, lines, text }: ExactFile,
): Candidates['found'][number] {
  const path = code.filePath(file);
  const language = code.fileLanguage(file);
  const symbol = definedSymbol(code, file, text);
  const definition = symbol && lines.find(({ line }) => line >= symbol.line);
  return {
    score: scoreFile(path, lines.length, symbol !== null),
    facets: { project: projectId, language, path },
    load: () =>
      presentLines(
        { project_id: projectId, path, language, symbol: symbol?.name ?? null },
        lines,
        definition,
      ),
  };
}

/** Definitions first, then files with more matches; tests and documents after source code. */
export function scoreFile(path: string, lines: number, isDefinition = false): number {
  return Math.log2(1 + lines) + (isDefinition ? 10 : 0) - (isNonSource(path) ? 5 : 0);
}

function definedSymbol(code: CodeTable, file: number, text: string): { name: string; line: number } | null {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text)) return null;
  const passage = code.passagesDefining(text).find((one) => code.passageFiles(one).includes(file));
  const name = passage === undefined ? null : code.passageSymbol(passage);
  return name === null ? null : { name, line: code.passageLines(passage!).start };
}

type CodeResult = z.infer<typeof codeResult>;

/** A file with its first matching lines, or those from `start` on, each with the lines beside it. */
export function presentLines(
  file: Pick<CodeResult, 'project_id' | 'path' | 'language' | 'symbol'>,
  lines: readonly MatchingLine[],
  start: MatchingLine | null | undefined = lines[0],
): CodeResult {
  const from = Math.max(0, lines.indexOf(start ?? lines[0]!));
  const first = lines[from]!;
  return {
    kind: 'code',
    ...file,
    line: first.line,
    to_line: first.line,
    matches: lines.length,
    fragments: toFragments(lines.slice(from)),
  };
}

const MAX_LINES_PER_FRAGMENT = 8;

function toFragments(lines: readonly MatchingLine[]): SearchFragment[] {
  const fragments: SearchFragment[] = [];
  for (const { line, text, marks, before, after } of lines) {
    let last = fragments.at(-1);
    const end = last ? last.start + last.lines.length : 0;
    const isAdjacent =
      last && line <= end + Number(before !== null) && last.lines.length < MAX_LINES_PER_FRAGMENT;
    if (!isAdjacent) {
      if (fragments.length === MAX_FRAGMENTS) break;
      const hasBefore = before !== null && line - 1 >= end;
      last = { start: hasBefore ? line - 1 : line, lines: hasBefore ? [toFragmentLine(before, [])] : [] };
      fragments.push(last);
    }
    const shown = last!;
    // The line after the previous match may be this one.
    if (shown.start + shown.lines.length > line) shown.lines.length = line - shown.start;
    if (shown.start + shown.lines.length < line && before !== null)
      shown.lines.push(toFragmentLine(before, []));
    shown.lines.push(toFragmentLine(text, marks));
    if (after !== null && after !== '') shown.lines.push(toFragmentLine(after, []));
  }
  return fragments;
}
