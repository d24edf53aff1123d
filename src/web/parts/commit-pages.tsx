import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
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
}

/** Infinite list of a project's commits, newest first, grouped by age. */
export function CommitPages({ projectId, queryKey, load, empty }: CommitPagesProps) {
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
      {({ pages }) => <CommitGroups projectId={projectId} pages={pages} query={query} />}
    </QueryState>
  );
}

interface CommitGroupsProps {
  projectId: string;
  pages: ApiReply<'GET /projects/:id/commits'>[];
  query: Pick<UseInfiniteQueryResult, 'error' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
}

function CommitGroups({ projectId, pages, query }: CommitGroupsProps) {
  const { t, i18n } = useTranslation('parts');
  const now = useNow();
  const { error, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const commits = pages.flatMap((page) => page.commits);
  const { total = commits.length, hidden_by_plan: hidden = 0 } = pages[0] ?? {};
  return (
    <>
      <p className="mb-2 text-muted">
        {t('commits.count', { count: total, value: new Intl.NumberFormat(i18n.language).format(total) })}
      </p>
      {groupByAge(commits, now).map((group) => (
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
      ))}
      {error && (
        <Notice kind="error" className="mt-3" onRetry={() => fetchNextPage()}>
          {error.message}
        </Notice>
      )}
      {hasNextPage && !error && (
        <Button className="mt-4" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
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
