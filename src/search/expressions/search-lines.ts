import { type GrepMatch, type GrepOptions, type GrepPattern, grep } from '#git/grep.ts';
import { grepIndex } from '#memory/index/grep-index.ts';
import { literalQuery } from '#memory/index/trigrams/trigram-query.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { ExpressionTooCostly } from './lazy-automaton.ts';
import { createRegexMatcher, type LineMatcher } from './line-matcher.ts';
import { loadSkippedTexts } from './skipped-texts.ts';

const LF = 10;
/** Characters of a line that are returned, as by `grep`. */
const MAX_TEXT = 1_000;
/** With more files, git reads them in another process. */
const MAX_FILES = 1_000;
/** Files without a stored text, which git reads. */
const MAX_UNSTORED = 200;

type LineOptions = Omit<GrepOptions, 'paths'>;
type Matcher = Pick<LineMatcher, 'query' | 'find'>;

/**
 * Runs `grep` at the revision of an index on the stored texts of the files that may match, which takes a fraction of a git
 * process. git runs for expressions, options and numbers of files that need it.
 */
export async function searchLines(
  repo: string,
  index: RepositoryIndex,
  pattern: GrepPattern,
  options: LineOptions,
): Promise<GrepMatch[]> {
  const { code, revision } = index;
  const { ignoreCase, wholeWord, marks } = options;
  const matcher = ignoreCase || wholeWord || marks ? null : createMatcher(pattern);
  const files = code && matcher && code.candidateFiles(matcher.query);
  const skipped = files && files.length <= MAX_FILES && (await loadSkippedTexts(repo, { code, revision }));
  if (!skipped) return await grepIndex(repo, index, pattern, options);
  try {
    const search: FileSearch = {
      ...options,
      matcher: matcher!,
      deadline: performance.now() + options.timeoutMs,
    };
    const { found, unstored } = await searchFiles(code, files, search);
    if (unstored.length > MAX_UNSTORED) return await grepIndex(repo, index, pattern, options);
    const others: GrepMatch[] = [];
    for (const { path, bytes } of skipped) addMatches(others, { path, bytes }, search);
    if (unstored.length > 0) {
      const timeoutMs = Math.max(1, search.deadline - performance.now());
      others.push(...(await grep(repo, revision, pattern, { ...options, timeoutMs, paths: unstored })));
    }
    return others.length === 0
      ? found
      : [...found, ...others].sort(compareMatches).slice(0, options.maxMatches);
  } catch (error) {
    if (error instanceof ExpressionTooCostly) return await grepIndex(repo, index, pattern, options);
    throw error;
  }
}

function createMatcher(pattern: GrepPattern): Matcher | null {
  if ('regex' in pattern)
    return pattern.regex === '' ? null : createRegexMatcher(pattern.regex, { hasExtensions: false });
  const { fixed } = pattern;
  if (fixed.length === 0 || !fixed.every((text) => /^[^\n\0]+$/.test(text))) return null;
  const wanted = fixed.map((text) => Buffer.from(text));
  return {
    query: literalQuery(fixed),
    find: (bytes, from) => {
      const places = wanted.map((text) => bytes.indexOf(text, from)).filter((at) => at >= 0);
      return places.length === 0 ? -1 : Math.min(...places);
    },
  };
}

interface FileSearch extends Pick<LineOptions, 'maxMatches' | 'accept' | 'signal'> {
  matcher: Matcher;
  /** Time of `performance.now()` at which the search ends. */
  deadline: number;
}

async function searchFiles(
  code: CodeTable,
  files: readonly number[],
  search: FileSearch,
): Promise<{ found: GrepMatch[]; unstored: string[] }> {
  const found: GrepMatch[] = [];
  const unstored: string[] = [];
  for (const file of files) {
    const isDone = found.length >= search.maxMatches || performance.now() > search.deadline;
    if (isDone || unstored.length > MAX_UNSTORED) break;
    await yieldIfDue(search.signal);
    // An empty file has no lines, and no text that could be stored.
    if (code.fileLines(file) === 0) continue;
    const { first, count } = code.filePassages(file);
    const bytes = code.passageBytes(first, count);
    if (bytes === null) unstored.push(code.filePath(file));
    else addMatches(found, { path: () => code.filePath(file), bytes }, search);
  }
  return { found, unstored };
}

/** Adds the matching lines of a file. Its path is asked for only where it has some. */
function addMatches(
  found: GrepMatch[],
  { path, bytes }: { path: string | (() => string); bytes: Buffer },
  { matcher, maxMatches, accept }: FileSearch,
): void {
  let line = 1;
  let start = 0;
  let name: string | null = null;
  while (start < bytes.length && found.length < maxMatches) {
    const at = matcher.find(bytes, start);
    if (at < 0) return;
    if (name === null) {
      name = typeof path === 'string' ? path : path();
      if (accept?.(name) === false) return;
    }
    // Checking every byte is faster than calling indexOf for each line.
    for (let i = start; i < at; i++) {
      if (bytes[i] !== LF) continue;
      line++;
      start = i + 1;
    }
    const lineFeed = bytes.indexOf(LF, at);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const text = bytes.toString('utf8', start, Math.min(end, start + 4 * MAX_TEXT)).slice(0, MAX_TEXT);
    found.push({ path: name, line, text });
    line++;
    start = end + 1;
  }
}

function compareMatches(a: GrepMatch, b: GrepMatch): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
}
