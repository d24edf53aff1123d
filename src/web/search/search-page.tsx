import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useId, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { parseSearchQuery, type SearchQuery } from '#contract/search-query.ts';
import type { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { FacetList } from './facet-list.tsx';
import { FilterChips } from './filter-chips.tsx';
import { OwnBranchesLine, OwnBranchLine } from './own-branch-lines.tsx';
import { QueryInput } from './query-input.tsx';
import { ResultList } from './result-list.tsx';
import { ScopeLine } from './scope-line.tsx';
import {
  ownBranchesField,
  RESULTS_PER_PAGE,
  type SearchState,
  searchStateUrl,
  useSearchState,
  withProjectNames,
} from './search-state.ts';
import { SplitView } from './split-view.tsx';
import { TypeTabs } from './type-tabs.tsx';
import { useResultKeys } from './use-result-keys.ts';

const DirectMatches = lazyComponent(() =>
  import('./direct-matches.tsx').then((module) => module.DirectMatches),
);
const SaveSearch = lazyComponent(() => import('./saved-searches.tsx').then((module) => module.SaveSearch), {
  early: true,
});
const WatchSearch = lazyComponent(() => import('./watch-search.tsx').then((module) => module.WatchSearch));
const SavedSearchList = lazyComponent(
  () => import('./saved-searches.tsx').then((module) => module.SavedSearchList),
  { early: true },
);
const PreviewPane = lazyComponent(() => import('./preview-pane.tsx').then((module) => module.PreviewPane));
const StartPage = lazyComponent(() => import('./start-page.tsx').then((module) => module.StartPage), {
  early: true,
});

type Reply = ApiReply<'GET /search/results'>;

const SKELETON_ROWS = ['38%', '72%', '64%', '30%', '58%', '70%'];
const POLL_INTERVAL_MS = 3_000;
const NO_PROJECTS: ApiReply<'GET /projects'> = [];

/** `/search?q=&match=&page=&at=`: code, history, errors and chats of all projects of the reader. */
export function Component() {
  const { t } = useTranslation('search');
  const { state, search, select } = useSearchState();
  const projects = useQuery(apiQuery('GET /projects'));
  const input = useRef<HTMLInputElement>(null);
  const problemsId = useId();
  const q = withProjectNames(state.q, projects.data ?? NO_PROJECTS);
  const query = useMemo(() => parseSearchQuery(q, state.match), [q, state.match]);
  const isUsable = query.problems.length === 0;
  return (
    <>
      <PageTitle>{q === '' ? t('title') : t('title_of', { q })}</PageTitle>
      <h1 className="sr-only">{t('title')}</h1>
      <QueryInput
        input={input}
        q={q}
        match={query.match}
        projects={projects.data ?? NO_PROJECTS}
        describedBy={isUsable ? undefined : problemsId}
        onSearch={search}
      />
      <FilterChips id={problemsId} q={q} query={query} onChange={(next) => search({ q: next })} />
      {q === '' && (
        <QueryState query={projects} showStaleError isEmpty={() => false}>
          {(data) => (
            <Suspense>
              <StartPage projects={data} />
            </Suspense>
          )}
        </QueryState>
      )}
      {q !== '' && !isUsable && <TypeTabs {...state} q={q} type={query.type} ready={false} />}
      {q !== '' && isUsable && <Results {...{ input, q, query, state, search, select }} />}
    </>
  );
}

interface ResultsProps {
  input: React.RefObject<HTMLInputElement | null>;
  q: string;
  query: SearchQuery;
  state: SearchState;
  search: (change: Partial<SearchState>) => void;
  select: (at: number | null) => void;
}

function Results(props: ResultsProps) {
  const { q, query, state } = props;
  const found = useQuery({
    ...apiQuery('GET /search/results', {
      query: {
        q,
        match: state.match,
        skip: String((state.page - 1) * RESULTS_PER_PAGE),
        limit: String(RESULTS_PER_PAGE),
        own_branches: ownBranchesField(state),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && isIndexing(data) ? POLL_INTERVAL_MS : false),
  });
  const shown = found.data?.type === query.type ? found : { ...found, data: undefined };
  return (
    <>
      <TypeTabs
        q={q}
        match={state.match}
        ownBranches={state.ownBranches}
        type={query.type}
        ready={found.isSuccess && !found.isPlaceholderData}
      />
      <div className="mt-2" aria-busy={found.isPlaceholderData}>
        <QueryState<Reply>
          query={shown as typeof found}
          showStaleError
          loading={SKELETON_ROWS}
          errorText={(error) => errorText(error as ApiError)}
        >
          {(reply) => <ReplyView {...props} reply={reply} />}
        </QueryState>
      </div>
    </>
  );
}

/** Results that a branch changes. */
const BRANCHED_TYPES = new Set<Reply['type']>(['code', 'symbols', 'files', 'commits']);

const errorText = (error: ApiError) => error.message;

function isIndexing({ type, projects }: Reply): boolean {
  return (
    type === 'changes' &&
    projects.some(({ history }) => history && (history.total === null || history.commits < history.total))
  );
}

function ReplyView({ reply, ...props }: ResultsProps & { reply: Reply }) {
  const { input, q, query, state, search, select } = props;
  const { results, projects } = reply;
  const isWide = useMediaQuery('(width >= 64rem)');
  const selected = state.at !== null && state.at < results.length ? state.at : null;
  useResultKeys({ input, count: results.length, selected, onSelect: select });
  const list = (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <ScopeLine reply={reply} exact={query.match !== 'words' && query.type === 'code'} />
        <div className="flex min-h-11 flex-wrap items-start gap-2 py-1.5">
          <Suspense>
            {query.type !== 'issues' && query.type !== 'chats' && (
              <WatchSearch key={`watch ${q}`} q={q} match={query.match} projects={projects} />
            )}
            <SaveSearch key={q} q={q} match={state.match} />
          </Suspense>
        </div>
      </div>
      {projects.length === 1 && BRANCHED_TYPES.has(query.type) && (
        <OwnBranchLine project={projects[0]!} q={q} search={search} />
      )}
      {projects.length > 1 && <OwnBranchesLine projects={projects} search={search} />}
      <Suspense>
        <DirectMatches query={query} projects={projects} />
      </Suspense>
      {results.length === 0 ? (
        <NoResults query={query} />
      ) : (
        <ResultList results={results} projects={projects} selected={selected} onSelect={select} />
      )}
      <Pages reply={reply} state={state} />
    </>
  );
  const result = selected === null ? undefined : results[selected];
  return (
    <div className="grid gap-x-6 xl:grid-cols-[12rem_minmax(0,1fr)]">
      <FacetSide {...{ reply, q, query, search }} />
      <div className="min-w-0">
        {isWide && result ? (
          <SplitView
            left={<div className="pr-2">{list}</div>}
            right={
              <Suspense>
                <PreviewPane result={result} projects={projects} onClose={() => select(null)} />
              </Suspense>
            }
          />
        ) : (
          list
        )}
      </div>
    </div>
  );
}

function FacetSide({
  reply,
  q,
  query,
  search,
}: Pick<ResultsProps, 'q' | 'query' | 'search'> & { reply: Reply }) {
  const { t } = useTranslation('search');
  const isWide = useMediaQuery('(width >= 80rem)');
  const content = (
    <div className="flex flex-col gap-5">
      <FacetList {...{ q, query }} {...reply} onChange={(next) => search({ q: next })} />
      <Suspense>
        <SavedSearchList />
      </Suspense>
    </div>
  );
  if (isWide)
    return (
      <aside aria-label={t('narrow')} className="py-2">
        {content}
      </aside>
    );
  return (
    <details className="border-b border-border py-1">
      <summary className="link cursor-pointer py-1">{t('narrow')}</summary>
      <div className="py-2 sm:columns-2 [&_section]:break-inside-avoid">{content}</div>
    </details>
  );
}

function NoResults({ query }: { query: SearchQuery }) {
  const { t } = useTranslation('search');
  const needsText = query.text === '' && (query.type === 'code' || query.type === 'changes');
  if (needsText) return <EmptyState title={t('needs_text')}>{t('needs_text_hint')}</EmptyState>;
  const hint = query.filters.some(({ key }) => key !== 'type')
    ? 'nothing_filtered'
    : `nothing_${query.match}`;
  return (
    <EmptyState
      title={query.text === '' ? t('nothing_plain') : t('nothing', { q: query.text.slice(0, 200) })}
    >
      <Verbatim text={t(hint)} />
    </EmptyState>
  );
}

/** Links to the previous and the next page. */
function Pages({ reply, state }: { reply: Reply; state: SearchState }) {
  const { t } = useTranslation('search');
  const last = Math.min(Math.ceil(reply.total / RESULTS_PER_PAGE), 40);
  if (last <= 1 && state.page === 1) return null;
  const url = (page: number) => searchStateUrl({ ...state, page, at: null });
  return (
    <nav aria-label={t('pages')} className="flex items-center gap-3 py-4">
      {state.page > 1 && <ButtonLink to={url(state.page - 1)}>{t('previous')}</ButtonLink>}
      <span className="text-muted tabular-nums">
        {t('page', { page: state.page, last: Math.max(last, state.page) })}
      </span>
      {state.page < last && <ButtonLink to={url(state.page + 1)}>{t('next')}</ButtonLink>}
      {state.page > last && last > 0 && (
        <Link to={url(1)} className="link">
          {t('first_page')}
        </Link>
      )}
    </nav>
  );
}
