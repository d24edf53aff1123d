import type { SearchFacet, SearchResult } from '#contract/search-results.ts';
import type { TermStatistics } from '../lexical/rank-documents.ts';
import { FacetCounter, facetFolder } from './facets.ts';

/** A match that has not been read yet. */
interface Candidate {
  /** Comparable over projects. */
  score: number;
  facets: { project: string; language?: string; path?: string; author?: string; state?: string };
  load(): Promise<SearchResult> | SearchResult;
}

/** Matches of one project, the best first. */
export interface Candidates {
  found: Candidate[];
  /** False when the project may have more. */
  complete: boolean;
  /** True when the limit of time ended the search of the project. */
  isTimedOut?: boolean;
  /** Statistics behind scores by words, which differ between projects. */
  statistics?: TermStatistics | null;
}

/** A page of the best matches of all projects, with what is counted of all. */
export interface ResultPage {
  results: SearchResult[];
  total: number;
  complete: boolean;
  facets: SearchFacet[];
}

/** Merges the matches of projects by score, counts them, and reads those of one page. */
export async function loadPage(
  lists: readonly Candidates[],
  { skip, limit }: { skip: number; limit: number },
): Promise<ResultPage> {
  const all = lists.flatMap(({ found }) => found).sort((a, b) => b.score - a.score);
  const results: SearchResult[] = [];
  // One after the other, so that few files are open at a time.
  for (const candidate of all.slice(skip, skip + limit)) results.push(await candidate.load());
  return {
    results,
    total: all.length,
    complete: lists.every(({ complete }) => complete),
    facets: countFacets(all),
  };
}

function countFacets(candidates: readonly Candidate[]): SearchFacet[] {
  const counter = new FacetCounter();
  for (const { facets } of candidates) {
    counter.add('project', facets.project);
    if (facets.language) counter.add('language', facets.language);
    if (facets.path) counter.add('folder', facetFolder(facets.path));
    if (facets.author) counter.add('author', facets.author);
    if (facets.state) counter.add('state', facets.state);
  }
  return counter.facets();
}
