import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { groupByAge } from '../parts/commit-groups.ts';
import { CommitRow } from '../parts/commit-row.tsx';
import { useNow } from '../parts/use-now.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isBusy } from './phases.ts';

const PAGE = 50;

/** A project's commits, newest first, as one core of age from today down. */
export function CommitList({ project }: { project: Project }) {
  const { t, i18n } = useTranslation(['projects', 'parts']);
  const now = useNow();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    // A new generation of the memory is a new list; commits appear before the rest is ready.
    queryKey: ['GET /projects/:id/commits', project.id, project.indexed_commit, project.status],
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /projects/:id/commits',
        { params: { id: project.id }, query: { skip: String(pageParam), limit: String(PAGE) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
  });
  if (error && !data) {
    return (
      <Notice kind="error" onRetry={() => void refetch()}>
        {error.message}
      </Notice>
    );
  }
  if (!data) return <Skeleton rows={['58%', '44%', '66%', '52%', '61%', '47%']} />;
  const commits = data.pages.flatMap((page) => page.commits);
  if (commits.length === 0) {
    return <p className="py-4 text-muted">{t(isBusy(project) ? 'commits.coming' : 'commits.empty')}</p>;
  }
  const total = data.pages[0]?.total ?? commits.length;
  return (
    <>
      <p className="mb-2 text-muted">
        {t('commits.count', { count: total, value: new Intl.NumberFormat(i18n.language).format(total) })}
      </p>
      {groupByAge(commits, now).map((group) => (
        <section key={group.age}>
          <h2 className="sticky top-12 z-10 border-b border-rule bg-ground py-1.5 text-sm text-muted">
            {t(`parts:age.${group.age}`)}
          </h2>
          <ol>
            {group.commits.map((commit) => (
              <CommitRow key={commit.id} projectId={project.id} commit={commit} now={now} />
            ))}
          </ol>
        </section>
      ))}
      {error && (
        <Notice kind="error" className="mt-3" onRetry={() => void fetchNextPage()}>
          {error.message}
        </Notice>
      )}
      {hasNextPage && !error && (
        <Button className="mt-4" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('commits.more')}
        </Button>
      )}
    </>
  );
}
