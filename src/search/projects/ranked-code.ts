import type { z } from 'zod';
import { type codeResult, MAX_FRAGMENTS, type SearchFragment } from '#contract/search-results.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { rankHybrid } from '../code/search-code.ts';
import { extractSnippet } from '../code/snippet.ts';
import { parseQuery, type Query } from '../lexical/parse-query.ts';
import { countTermMatches, type RankedPassage } from '../lexical/rank-documents.ts';
import type { Candidates } from './candidates.ts';
import { createTermMarker, toFragmentLine } from './marks.ts';
import { fileFilter, nonSourceFiles, type ProjectSearch, type SearchedProject } from './search-scope.ts';

/** Passages of one project that are ranked, of which counts are made. */
const SAMPLE_SIZE = 200;
const SNIPPET_LINES = 6;
/** Score of a passage that is shown beside the best one of its file, relative to that. */
const MIN_FRAGMENT_SCORE = 0.6;
/** Tests and documents repeat the words of the code that they are about. Set by hand. */
const NON_SOURCE_WEIGHT = 0.7;

/** Ranks the files of a project by their best passages for the words of a query. */
export function rankCode(project: SearchedProject, search: ProjectSearch): Candidates {
  const { index, id, embedding } = project;
  const { code } = index;
  const query = parseQuery(search.text);
  if (!code || query.terms.length === 0) return { found: [], complete: true };
  const wanted = Math.max(SAMPLE_SIZE, search.skip + search.limit);
  const accepts = fileFilter(code, search.filters);
  let ranked: RankedPassage[] = [];
  let isExhausted = false;
  // A filter may leave few of the best, so that more have to be ranked.
  for (let limit = wanted; ; limit *= 8) {
    const all = rankHybrid(index, query, { limit, embedding });
    isExhausted = all.length < limit;
    ranked = accepts ? all.filter(({ file }) => accepts(file)) : all;
    if (isExhausted || ranked.length >= wanted) break;
  }
  const files = [...Map.groupBy(ranked, ({ file }) => file)];
  const nonSource = nonSourceFiles(code);
  return {
    found: files.map(([file, passages]) => ({
      score: passages[0]!.score * (nonSource[file] === 1 ? NON_SOURCE_WEIGHT : 1),
      facets: { project: id, language: code.fileLanguage(file), path: code.filePath(file) },
      load: () => presentFile(project, code, { file, passages, query }),
    })),
    complete: isExhausted,
    statistics: countTermMatches(index, query),
  };
}

interface RankedFile {
  file: number;
  passages: RankedPassage[];
  query: Query;
}

async function presentFile(
  { id, readText }: SearchedProject,
  code: CodeTable,
  { file, passages, query }: RankedFile,
): Promise<z.infer<typeof codeResult>> {
  const mark = createTermMarker(query);
  const relevant = passages.filter(({ score }) => score >= MIN_FRAGMENT_SCORE * passages[0]!.score);
  const fragments = await Promise.all(
    relevant.slice(0, MAX_FRAGMENTS).map(async ({ passage }): Promise<SearchFragment> => {
      const snippet = extractSnippet(await readText(passage, file), query, SNIPPET_LINES);
      const lines = snippet.text.trimEnd().split('\n');
      return {
        start: code.passageLines(passage).start + snippet.offset,
        lines: lines.map((line) => toFragmentLine(line, mark(line))),
      };
    }),
  );
  const best = passages[0]!.passage;
  const { start, end } = code.passageLines(best);
  return {
    kind: 'code',
    project_id: id,
    path: code.filePath(file),
    language: code.fileLanguage(file),
    symbol: code.passageSymbol(best),
    line: firstMarkedLine(fragments[0]) ?? start,
    to_line: end,
    matches: passages.length,
    fragments: mergeFragments(fragments),
  };
}

function firstMarkedLine(fragment: SearchFragment | undefined): number | undefined {
  const at = fragment?.lines.findIndex(({ marks }) => marks.length > 0) ?? -1;
  return at < 0 ? fragment?.start : fragment!.start + at;
}

/** Fragments in the order of their lines, without those that repeat lines of another. */
function mergeFragments(fragments: SearchFragment[]): SearchFragment[] {
  const sorted = fragments.toSorted((a, b) => a.start - b.start);
  return sorted.filter((one, index) => {
    const before = sorted[index - 1];
    return !before || one.start >= before.start + before.lines.length;
  });
}
