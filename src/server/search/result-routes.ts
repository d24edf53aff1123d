import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { RouteResult } from '#contract/route.ts';
import { parseDateRange } from '#contract/search-dates.ts';
import {
  filterValues,
  formatFilter,
  isApplicable,
  isTextType,
  parseSearchQuery,
  SEARCH_TYPES,
  type SearchMatch,
  type SearchQuery,
  type SearchType,
  type TextType,
  withFilter,
} from '#contract/search-query.ts';
import { type SearchResult, searchResultRoutes } from '#contract/search-results.ts';
import { savedSearchRoutes } from '#contract/search-saved.ts';
import { createRegexMatcher } from '#search/expressions/line-matcher.ts';
import { type Candidates, loadPage, type ResultPage } from '#search/projects/candidates.ts';
import type { SearchFilters } from '#search/projects/search-scope.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import type { Caller } from '../identity/access.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectStorage } from '../project-data/storage.ts';
import { consumeAnswerLimit } from '../rate-limit/rate-limiter.ts';
import { listFilterValues } from './filter-values.ts';
import { findIssues } from './find-issues.ts';
import {
  deleteSavedSearch,
  findChats,
  findErrors,
  listSavedSearches,
  MAX_TEXT_MATCHES,
  saveSearch,
} from './queries.ts';
import { searchRegexByGit } from './regex-search.ts';
import { type OpenProject, openScope, type SearchScope } from './search-scope.ts';

interface SearchReader {
  caller: Caller;
  signal: AbortSignal;
}

type Page = { skip: number; limit: number };
type Reply = RouteResult<typeof searchResultRoutes.results>;

/** Registers the searches over several projects, and saved searches. */
export function registerProjectSearch(app: FastifyInstance, deps: Deps): void {
  serve(
    app,
    searchResultRoutes.results,
    async ({ caller, query: { q, match, own_branches: ownBranches, ...page }, reply }) => {
      const started = performance.now();
      const query = requireUsableQuery(q, match);
      if (filterValues(query, 'rev').length > 0) await consumeAnswerLimit(deps, caller.userId);
      const reader = { caller, signal: abortOnDisconnect(reply) };
      const scope = await openScope(deps, { ...reader, ownBranches }, query);
      const found = await searchScope(deps, { ...reader, scope, page }, query);
      return {
        type: query.type,
        ...found,
        projects: scope.projects,
        projects_omitted: scope.omitted,
        unknown_projects: scope.unknown,
        took_ms: Math.round(performance.now() - started),
      };
    },
  );

  serve(
    app,
    searchResultRoutes.counts,
    async ({ caller, query: { q, match, own_branches: ownBranches }, reply }) => {
      const chosen = requireUsableQuery(q, match);
      const reader = { caller, signal: abortOnDisconnect(reply) };
      const counts: RouteResult<typeof searchResultRoutes.counts>['counts'] = [];
      for (const type of SEARCH_TYPES) {
        const query = queryOfType(q, chosen, type);
        if (query === null) continue;
        const scope = await openScope(deps, { ...reader, ownBranches }, query);
        const page = { skip: 0, limit: 0 };
        const { total, complete } = await searchScope(deps, { ...reader, scope, page }, query);
        counts.push({ type, total, complete });
      }
      return { counts };
    },
  );

  serve(app, searchResultRoutes.values, async ({ caller, query: { key, text, q }, reply }) => {
    return {
      values: await listFilterValues(deps, { caller, signal: abortOnDisconnect(reply) }, { key, text, q }),
    };
  });

  serve(app, savedSearchRoutes.list, async ({ caller }) => await listSavedSearches(deps.db, caller.userId));
  serve(
    app,
    savedSearchRoutes.save,
    async ({ caller, body }) => await saveSearch(deps.db, caller.userId, body),
  );
  serve(app, savedSearchRoutes.remove, async ({ caller, params }) => {
    await deleteSavedSearch(deps.db, caller.userId, params.id);
    return { ok: true as const };
  });
}

/** Parses a query. Throws `bad_request` for one that cannot run. */
function requireUsableQuery(q: string, match: SearchMatch): SearchQuery {
  const query = parseSearchQuery(q, match);
  const [problem] = query.problems;
  if (!problem) return query;
  const { filter, code } = problem;
  const written = filter ? formatFilter(filter.key, filter.value, filter.negated) : query.text.slice(0, 80);
  throw new AppError('bad_request', 'search_filter_invalid', { params: { filter: written }, reason: code });
}

/** The same query for another type; null where its filters or its match do not apply. A revision is searched on request only. */
function queryOfType(q: string, { match, filters, text }: SearchQuery, type: SearchType): SearchQuery | null {
  const isFor = filters.every(({ key }) => isApplicable(key, type) && key !== 'rev');
  if (!isFor || (text === '' && (type === 'code' || type === 'changes'))) return null;
  const query = parseSearchQuery(withFilter(q, 'type', type), match);
  return query.problems.length === 0 ? query : null;
}

async function searchScope(
  deps: Deps,
  reader: SearchReader & { scope: SearchScope; page: Page },
  query: SearchQuery,
): Promise<Pick<Reply, 'results' | 'total' | 'complete' | 'facets'>> {
  const filters = readFilters(query, deps.now());
  const page = isTextType(query.type)
    ? await searchTexts(deps, reader, query, filters)
    : await searchIndexes(deps, reader, query, filters);
  const names = new Map(reader.scope.projects.map(({ id, name }) => [id, name]));
  return { ...page, facets: page.facets.map((facet) => withNames(facet, names)) };
}

type Facet = ResultPage['facets'][number];

function withNames(facet: Facet, names: ReadonlyMap<string, string>): Facet {
  if (facet.key !== 'project') return facet;
  return {
    ...facet,
    values: facet.values.map((one) => ({ ...one, label: names.get(one.value) ?? one.value })),
  };
}

function readFilters(query: SearchQuery, now: Date): SearchFilters {
  const values = (key: 'path' | 'lang' | 'author') => ({
    include: filterValues(query, key),
    exclude: filterValues(query, key, true),
  });
  const [date] = filterValues(query, 'date');
  const side = filterValues(query, 'side')[0]?.toLowerCase();
  return {
    path: values('path'),
    language: values('lang'),
    author: values('author'),
    date: date === undefined ? null : parseDateRange(date, now.getTime() / 1000),
    side: side === 'added' || side === 'removed' ? side : null,
  };
}

async function searchIndexes(
  deps: Deps,
  { caller, signal, scope, page }: SearchReader & { scope: SearchScope; page: Page },
  query: SearchQuery,
  filters: SearchFilters,
): Promise<ResultPage> {
  const { userId } = caller;
  const stop = scope.open.reduce(
    (all, { project }) => deps.projectCancellation.signalFor(project.id, all),
    signal,
  );
  const { type, match, text } = query;
  if (type === 'code' && match === 'regex' && createRegexMatcher(text) === null) {
    const { lists, timedOut } = await searchRegexByGit(
      deps,
      { query, filters, projects: scope.open },
      { userId, signal: stop },
    );
    for (const project of scope.projects) if (timedOut.has(project.id)) project.state = 'timed_out';
    return await loadPage(lists, page);
  }
  if (scope.open.length === 0) return await loadPage([], page);
  const projects = await Promise.all(
    scope.open.map((open) =>
      toTaskProject(deps, open, { query, userId, signal: stop, isOnly: scope.open.length === 1 }),
    ),
  );
  const task = {
    type: type as Exclude<SearchType, TextType>,
    projects,
    text,
    match,
    filters,
    ...page,
  };
  const { histories, timedOut, ...found } = await deps.pool.searchProjects(task, { userId, signal: stop });
  for (const { id, ...history } of histories) {
    const project = scope.projects.find((one) => one.id === id);
    if (project) project.history = history;
  }
  for (const project of scope.projects) if (timedOut.includes(project.id)) project.state = 'timed_out';
  return found;
}

async function toTaskProject(
  deps: Deps,
  { project, index, at, reachableFrom }: OpenProject,
  {
    query,
    userId,
    signal,
    isOnly,
  }: { query: SearchQuery; userId: string; signal: AbortSignal; isOnly: boolean },
) {
  const { dataDir } = deps.config;
  const usesEmbedding = isOnly && query.type === 'code' && query.match === 'words' && query.text !== '';
  return {
    id: project.id,
    repo: projectStorage(dataDir, project.id).repo,
    shared: index.shared,
    hunks: hunksFolder(dataDir, project.id),
    embedding: usesEmbedding
      ? await deps.queryEmbedder.embedQuery(query.text, { project, userId, signal })
      : null,
    ...{ at, reachableFrom },
  };
}

type TextResult = Extract<SearchResult, { kind: 'issue' | 'error' | 'chat' }>;

const TEXT_SEARCHES: Record<TextType, (...args: Parameters<typeof findErrors>) => Promise<TextResult[]>> = {
  issues: findIssues,
  errors: findErrors,
  chats: findChats,
};

async function searchTexts(
  deps: Deps,
  { caller, scope, page }: SearchReader & { scope: SearchScope; page: Page },
  query: SearchQuery,
  filters: SearchFilters,
): Promise<ResultPage> {
  const search = {
    userId: caller.userId,
    projectIds: scope.projects.map(({ id }) => id),
    text: query.text,
    filters,
  };
  const found = await TEXT_SEARCHES[query.type as TextType](deps.db, search);
  const shown = found.slice(0, MAX_TEXT_MATCHES);
  const list: Candidates = {
    found: shown.map((result, index) => ({
      score: -index,
      facets: {
        project: result.project_id,
        author: result.author,
        ...(result.kind !== 'chat' && { state: result.state }),
      },
      load: () => result,
    })),
    complete: found.length <= MAX_TEXT_MATCHES,
  };
  return await loadPage([list], page);
}
