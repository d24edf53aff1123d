import type { SearchQuery } from '#contract/search-query.ts';
import { type GrepMatch, grep } from '#git/grep.ts';
import { grepIndex } from '#memory/index/grep-index.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { Candidates } from '#search/projects/candidates.ts';
import { type MatchingLine, presentLines, scoreFile } from '#search/projects/exact-code.ts';
import { fileFilter, type SearchFilters } from '#search/projects/search-scope.ts';
import type { Deps } from '../deps.ts';
import type { OpenProject } from './search-scope.ts';

/** Time of one search over all projects. */
const MATCH_TIMEOUT_MS = 5_000;
/** Waiting and matching. */
const QUEUE_TIMEOUT_MS = 30_000;
/** Matching lines of all projects together. */
const MAX_LINES = 500;
const MIN_LINES_PER_PROJECT = 40;
const PARALLEL = 3;

interface RegexSearch {
  query: SearchQuery;
  filters: SearchFilters;
  projects: readonly OpenProject[];
}

/**
 * Files with lines that match an expression that cannot be matched in linear time, such as one with back references. Git
 * does it, in processes with a time limit. Throws `bad_request` for an expression that is none.
 */
export async function searchRegexByGit(
  deps: Deps,
  { query, filters, projects }: RegexSearch,
  { userId, signal }: { userId: string; signal: AbortSignal },
): Promise<{ lists: Candidates[]; timedOut: Set<string> }> {
  const timedOut = new Set<string>();
  if (query.text === '') return { lists: [], timedOut };
  const maxMatches = Math.max(MIN_LINES_PER_PROJECT, Math.floor(MAX_LINES / Math.max(1, projects.length)));
  const task = { userId, deadlineMs: QUEUE_TIMEOUT_MS, signal };
  const lists = await deps.queues.grep.run(task, async (stop) => {
    const deadline = performance.now() + MATCH_TIMEOUT_MS;
    return await mapParallel(projects, async (open) => {
      const timeoutMs = deadline - performance.now();
      if (timeoutMs <= 0) {
        timedOut.add(open.project.id);
        return { found: [], complete: false };
      }
      const matches = await grepProject(
        deps,
        open,
        { regex: query.text },
        { maxMatches, timeoutMs, signal: stop },
      );
      if (performance.now() >= deadline) timedOut.add(open.project.id);
      const complete = matches.length < maxMatches && performance.now() < deadline;
      return { found: toCandidates(open, matches, filters), complete };
    });
  });
  return { lists, timedOut };
}

type GrepProjectOptions = Omit<Parameters<typeof grep>[3], 'paths' | 'context'>;

async function grepProject(
  deps: Deps,
  { project, index, at }: OpenProject,
  pattern: { regex: string },
  options: GrepProjectOptions,
): Promise<GrepMatch[]> {
  const repo = await deps.projectFiles.repositories.open(project.id);
  const marked = { ...options, marks: true };
  return at ? await grep(repo, at.revision, pattern, marked) : await grepIndex(repo, index, pattern, marked);
}

function toCandidates({ project, index }: OpenProject, matches: GrepMatch[], filters: SearchFilters) {
  const { code } = index;
  const accepts = code && fileFilter(code, filters);
  return [...Map.groupBy(matches, ({ path }) => path)].flatMap(([path, found]): Candidates['found'] => {
    const file = code?.fileNumber(path) ?? -1;
    if (accepts && (file < 0 || !accepts(file))) return [];
    const language = file < 0 ? '' : code!.fileLanguage(file);
    const lines = found.map(toLine);
    return [
      {
        score: scoreFile(path, lines.length),
        facets: { project: project.id, language, path },
        load: () => {
          const shown = lines.map((line, at) =>
            code && file >= 0 && at < MAX_CONTEXTS ? addContext(code, file, line) : line,
          );
          return presentLines(
            { project_id: project.id, path, language, symbol: null, matches: lines.length },
            shown,
          );
        },
      },
    ];
  });
}

function toLine({ line, text, marks = [] }: GrepMatch): MatchingLine {
  return { line, text, marks, before: null, after: null };
}

/** Lines of a file of which the neighbours are read. */
const MAX_CONTEXTS = 8;

/** Adds the lines beside a line, where the index has them as they are in the searched revision. */
function addContext(code: CodeTable, file: number, match: MatchingLine): MatchingLine {
  const { first, count } = code.filePassages(file);
  for (let passage = first; passage < first + count; passage++) {
    const { start, end } = code.passageLines(passage);
    if (match.line < start || match.line > end) continue;
    const lines = code.passageText(passage)?.split('\n') ?? [];
    const at = match.line - start;
    if (lines[at] === match.text)
      return { ...match, before: lines[at - 1] ?? null, after: lines[at + 1] ?? null };
  }
  return match;
}

async function mapParallel<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await map(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, work));
  return results;
}
