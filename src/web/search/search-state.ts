import { useSearchParams } from 'react-router';
import {
  formatFilter,
  SEARCH_MATCHES,
  type SearchMatch,
  withFilter,
  withoutFilters,
} from '#contract/search-query.ts';

/** State of the search page, all of which is in its address. */
export interface SearchState {
  q: string;
  match: SearchMatch;
  /** From 1. */
  page: number;
  /** Selected result of the page, from 0; null for none. */
  at: number | null;
  /** The reader's own branches are included or left out; null for the default of the server. */
  ownBranches: boolean | null;
}

/** The part of a state that a call of the API takes. */
export const ownBranchesField = ({ ownBranches }: Pick<SearchState, 'ownBranches'>) =>
  ownBranches === null ? undefined : (`${ownBranches}` as const);

/** Results of one page. */
export const RESULTS_PER_PAGE = 20;
const MAX_PAGES = 40;

/** Reads the state; links of the search box and of earlier versions name a project, a view and how it matches. */
export function readSearchState(params: URLSearchParams): SearchState {
  const number = (name: string) =>
    /^\d{1,4}$/.test(params.get(name) ?? '') ? Number(params.get(name)) : null;
  return {
    q: readQuery(params),
    match: readMatch(params),
    page: Math.min(MAX_PAGES, Math.max(1, number('page') ?? 1)),
    at: number('at'),
    ownBranches: params.has('own') ? params.get('own') === 'true' : null,
  };
}

function readQuery(params: URLSearchParams): string {
  let q = params.get('q')?.trim() ?? '';
  const [project, view, side] = [params.get('project_id'), params.get('view'), params.get('side')];
  if (view === 'history') {
    if (side === 'added' || side === 'removed') q = withFilter(q, 'side', side);
    q = withFilter(q, 'type', 'changes');
  }
  return project
    ? withFilter(
        withoutFilters(q, ({ key }) => key === 'repo'),
        'repo',
        project,
      )
    : q;
}

function readMatch(params: URLSearchParams): SearchMatch {
  if (params.get('view') === 'lines') return params.get('lines') === 'regex' ? 'regex' : 'exact';
  return SEARCH_MATCHES.find((match) => match === params.get('match')) ?? 'words';
}

/** Address of a search. */
export function searchStateUrl({
  q,
  match,
  page,
  at,
  ownBranches,
}: Partial<SearchState> & { q: string }): string {
  const params = new URLSearchParams({ q });
  if (match && match !== 'words') params.set('match', match);
  if (page && page > 1) params.set('page', String(page));
  if (at != null) params.set('at', String(at));
  if (ownBranches != null) params.set('own', String(ownBranches));
  return `/search?${params}`;
}

/** State of the page and its changes: a new search is a step of the history, a selection is not. */
export function useSearchState(): {
  state: SearchState;
  search: (change: Partial<SearchState>) => void;
  select: (at: number | null) => void;
} {
  const [params, setParams] = useSearchParams();
  const state = readSearchState(params);
  const toParams = (next: SearchState) => new URL(searchStateUrl(next), 'http://localhost').searchParams;
  return {
    state,
    search: (change) => setParams(toParams({ ...state, page: 1, at: null, ...change })),
    select: (at) => setParams(toParams({ ...state, at }), { replace: true, preventScrollReset: true }),
  };
}

/** Query text with project names in place of ids, for as far as the names are unique. */
export function withProjectNames(q: string, projects: readonly { id: string; name: string }[]): string {
  return projects.reduce((text, { id, name }) => {
    const isUnique = projects.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length === 1;
    return isUnique ? text.replaceAll(formatFilter('repo', id), () => formatFilter('repo', name)) : text;
  }, q);
}
