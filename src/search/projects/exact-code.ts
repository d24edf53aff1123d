import type { z } from 'zod';
import { type codeResult, MAX_FRAGMENTS, type SearchFragment } from '#contract/search-results.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { ExpressionTooCostly } from '../expressions/lazy-automaton.ts';
import { findMatchingLines, type LineMatcher } from '../expressions/line-matcher.ts';
import type { Candidates } from './candidates.ts';
import { type MarkRange, toFragmentLine } from './marks.ts';
import { fileFilter, nonSourceFiles, type ProjectSearch, type SearchedProject } from './search-scope.ts';

/** Matching files of all projects together, after which a search stops. */
const MAX_FILES = 400;
const MIN_FILES_PER_PROJECT = 30;
/** Matching lines of a file that are counted. */
const MAX_LINES_PER_FILE = 1_000;
/** Lines of a file of which some are shown. */
const MAX_LOADED_LINES = 60;

interface ExactSearch {
  matcher: LineMatcher;
  /** Projects that share the limit of files. */
  projectCount: number;
  /** Time of `performance.now()` at which the search of this project ends. */
  deadline: number;
}

/**
 * Files of a project with lines that contain a text as it is, or match an expression. Files that define the text are read
 * first, then source code, then tests and documents, so that what a limit leaves out matters least.
 */
export async function findExactCode(
  project: SearchedProject,
  search: ProjectSearch,
  { matcher, projectCount, deadline }: ExactSearch,
): Promise<Candidates> {
  const { code } = project.index;
  if (!code || search.text === '') return { found: [], complete: true };
  const accepts = fileFilter(code, search.filters);
  const definitions = definingPassages(code, search);
  const share = Math.floor(MAX_FILES / projectCount);
  const limit = Math.max(MIN_FILES_PER_PROJECT, search.skip + search.limit, share);
  const found: Candidates['found'] = [];
  const files = code.candidateFiles(matcher.query) ?? [...Array(code.fileCount).keys()];
  for (const file of orderFiles(code, accepts ? files.filter(accepts) : files, definitions)) {
    if (found.length === limit) return { found, complete: false };
    if (performance.now() > deadline) return { found, complete: false, isTimedOut: true };
    await yieldIfDue(search.signal);
    const content = await readFile(project, code, file);
    try {
      const lines = findMatchingLines(matcher, content, MAX_LINES_PER_FILE);
      if (lines.length === 0) continue;
      found.push(toCandidate(project, code, { file, lines, matcher, definition: definitions.get(file) }));
    } catch (error) {
      if (!(error instanceof ExpressionTooCostly)) throw error;
      return { found, complete: false, isTimedOut: true };
    }
  }
  return { found, complete: true };
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** First passage of each file that defines the text, in the same case. */
function definingPassages(code: CodeTable, { text, match }: ProjectSearch): Map<number, number> {
  const passages = match === 'exact' && IDENTIFIER.test(text) ? code.passagesDefining(text) : [];
  const sameCase = passages.filter((passage) => code.passageSymbol(passage)?.endsWith(text));
  return new Map(
    sameCase.toReversed().flatMap((passage) => code.passageFiles(passage).map((file) => [file, passage])),
  );
}

function orderFiles(
  code: CodeTable,
  files: readonly number[],
  definitions: ReadonlyMap<number, number>,
): number[] {
  const nonSource = nonSourceFiles(code);
  const [defining, source, others]: [number[], number[], number[]] = [[], [], []];
  for (const file of files) {
    const isOther = !definitions.has(file) && nonSource[file] === 1;
    (definitions.has(file) ? defining : isOther ? others : source).push(file);
  }
  return [...defining, ...source, ...others];
}

/** The bytes of a file, valid until the next read. */
async function readFile({ readBlob }: SearchedProject, code: CodeTable, file: number): Promise<Buffer> {
  const { first, count } = code.filePassages(file);
  if (count === 0) return Buffer.alloc(0);
  return code.passageBytes(first, count) ?? (await readBlob(code.fileBlob(file)));
}

interface ExactFile {
  file: number;
  lines: number[];
  matcher: LineMatcher;
  /** Passage that defines the text. */
  definition: number | undefined;
}

function toCandidate(
  project: SearchedProject,
  code: CodeTable,
  { file, lines, matcher, definition }: ExactFile,
): Candidates['found'][number] {
  const path = code.filePath(file);
  const language = code.fileLanguage(file);
  const isDefinition = definition !== undefined;
  return {
    score: scoreFile(path, lines.length, isDefinition),
    facets: { project: project.id, language, path },
    load: async () => {
      const texts = (await readFile(project, code, file)).toString('utf8').split('\n');
      const start = isDefinition ? code.passageLines(definition).start : 0;
      const first = lines.findIndex((line) => line >= start);
      const shown = lines.slice(Math.max(0, first)).slice(0, MAX_LOADED_LINES);
      const symbol = isDefinition ? code.passageSymbol(definition) : null;
      return presentLines(
        { project_id: project.id, path, language, symbol, matches: lines.length },
        shown.map((line) => toMatchingLine(texts, line, matcher)),
      );
    },
  };
}

/** A line of a file with the lines beside it, for as far as they are known. */
export interface MatchingLine {
  line: number;
  text: string;
  marks: MarkRange[];
  before: string | null;
  after: string | null;
}

function toMatchingLine(texts: readonly string[], line: number, matcher: LineMatcher): MatchingLine {
  const text = texts[line - 1] ?? '';
  const [before, after] = [texts[line - 2] ?? null, texts[line] ?? null];
  return { line, text, marks: matcher.mark(text), before, after };
}

/** Definitions first, then files with more matches; tests and documents after source code. */
export function scoreFile(path: string, lines: number, isDefinition = false): number {
  return Math.log2(1 + lines) + (isDefinition ? 10 : 0) - (isNonSource(path) ? 5 : 0);
}

type CodeResult = z.infer<typeof codeResult>;

/** A file with these of its matching lines. */
export function presentLines(
  file: Pick<CodeResult, 'project_id' | 'path' | 'language' | 'symbol' | 'matches'>,
  lines: readonly MatchingLine[],
): CodeResult {
  const { line } = lines[0]!;
  return { kind: 'code', ...file, line, to_line: line, fragments: toFragments(lines) };
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
