import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Commit } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { layoutGraph } from './commit-graph.ts';
import { groupByAge } from './commit-groups.ts';
import { CommitRow } from './commit-row.tsx';
import { useNow } from './use-now.ts';

const PAGE_SIZE = 50;

interface CommitPagesProps {
  projectId: string;
  /** Query key; includes the index generation. */
  queryKey: readonly unknown[];
  load: (
    page: { skip: string; limit: string },
    options: { signal: AbortSignal },
  ) => Promise<ApiReply<'GET /projects/:id/commits'>>;
  /** Content for an empty list. */
  empty: ReactNode;
  /** Shows branches and merges as lines, for lists that hold all commits. */
  graph?: boolean;
}

/** Infinite list of a project's commits, newest first, grouped by age. */
export function CommitPages({ projectId, queryKey, load, empty, graph = false }: CommitPagesProps) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      load({ skip: String(pageParam), limit: String(PAGE_SIZE) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryState
      query={query}
      loading={['58%', '44%', '66%', '52%', '61%', '47%']}
      empty={<p className="py-4 text-muted">{empty}</p>}
      isEmpty={({ pages }) => pages.every(({ commits }) => commits.length === 0)}
    >
      {({ pages }) => <CommitGroups projectId={projectId} pages={pages} query={query} graph={graph} />}
    </QueryState>
  );
}

interface CommitGroupsProps {
  projectId: string;
  pages: ApiReply<'GET /projects/:id/commits'>[];
  graph: boolean;
  query: Pick<UseInfiniteQueryResult, 'error' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
}

function CommitGroups({ projectId, pages, query, graph }: CommitGroupsProps) {
  const { t, i18n } = useTranslation('parts');
  const now = useNow();
  const { error, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const commits = pages.flatMap((page) => page.commits);
  const nearEnd = useNearViewport(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  });
  const { total = commits.length, hidden_by_plan: hidden = 0 } = pages[0] ?? {};
  return (
    <>
      <p className="mb-2 text-muted">
        {t('commits.count', { count: total, value: new Intl.NumberFormat(i18n.language).format(total) })}
      </p>
      {graph ? (
        <CommitGraph projectId={projectId} commits={commits} now={now} />
      ) : (
        groupByAge(commits, now).map((group) => (
          <section key={group.age}>
            <h2 className="sticky top-12 z-10 border-b border-border bg-background py-1.5 text-sm text-muted">
              {t(`age.${group.age}`)}
            </h2>
            <ol>
              {group.commits.map((commit) => (
                <CommitRow key={commit.id} projectId={projectId} commit={commit} now={now} />
              ))}
            </ol>
          </section>
        ))
      )}
      {error && (
        <Notice kind="error" className="mt-3" onRetry={() => fetchNextPage()}>
          {error.message}
        </Notice>
      )}
      {hasNextPage && !error && (
        <Button
          ref={nearEnd}
          className="mt-4"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('commits.more')}
        </Button>
      )}
      {!hasNextPage && hidden > 0 && (
        <p className="mt-4 text-muted">
          {t('commits.hidden', { value: new Intl.NumberFormat(i18n.language).format(hidden) })}{' '}
          <Link to="/subscription" className="link">
            {t('commits.plans')}
          </Link>
        </p>
      )}
    </>
  );
}

interface CommitGraphProps {
  projectId: string;
  commits: Commit[];
  now: number;
}

function CommitGraph({ projectId, commits, now }: CommitGraphProps) {
  const rows = useMemo(() => layoutGraph(commits), [commits]);
  const lanes = 1 + Math.max(0, ...rows.flatMap(({ segments }) => segments.map(({ to }) => to)));
  return (
    <ol>
      {commits.map((commit, index) => (
        <CommitRow
          key={commit.id}
          projectId={projectId}
          commit={commit}
          now={now}
          graph={{ row: rows[index]!, lanes }}
        />
      ))}
    </ol>
  );
}

/** Ref of an element that calls `onNear` whenever it comes near the viewport. */
function useNearViewport(onNear: () => void): (element: Element | null) => void {
  const [element, setElement] = useState<Element | null>(null);
  const near = useEffectEvent(onNear);
  useEffect(() => {
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: '600px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return setElement;
}
