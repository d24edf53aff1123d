import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SessionRow } from '#contract/debug.ts';
import { api } from '../api.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { debugSessionKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

const PAGE_SIZE = 20;

/** Debug sessions of the user's projects, newest first. */
export function SessionInbox() {
  const { t } = useTranslation('debug');
  const sessions = useInfiniteQuery({
    queryKey: debugSessionKeys.inbox,
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /debug/sessions',
        { query: { skip: String(pageParam), limit: String(PAGE_SIZE) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
  });
  const total = sessions.data?.pages[0]?.total;
  return (
    <section>
      <h2 className="mb-2 flex justify-between font-semibold">
        {t('inbox.title')}
        {total ? <span className="font-normal text-muted">{total}</span> : null}
      </h2>
      <QueryState
        query={sessions}
        showStaleError
        loading={['82%', '64%', '76%']}
        empty={<p className="border-t border-border py-3 text-muted">{t('inbox.empty')}</p>}
        isEmpty={({ pages }) => pages[0]?.sessions.length === 0}
      >
        {({ pages }) => <SessionRows sessions={pages.flatMap((page) => page.sessions)} />}
      </QueryState>
      {sessions.hasNextPage && (
        <Button
          className="mt-3"
          loading={sessions.isFetchingNextPage}
          onClick={() => void sessions.fetchNextPage()}
        >
          {t('inbox.more')}
        </Button>
      )}
    </section>
  );
}

function SessionRows({ sessions }: { sessions: SessionRow[] }) {
  const { t } = useTranslation('debug');
  return (
    <ul className="border-b border-border">
      {sessions.map((session) => (
        <li key={session.id} className="border-t border-border">
          <Link to={`/debug/${session.id}`} className="-mx-2 block rounded-md px-2 py-2 hover:bg-select">
            <span className="line-clamp-2 font-mono text-sm break-words">
              <Verbatim text={session.title} />
            </span>
            <span className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
              <span className={session.state === 'solved' ? 'text-success' : undefined}>
                {t(`state.${session.state}`)}
              </span>
              <span>{session.project_name}</span>
              <span>{Math.round(session.confidence * 100)}%</span>
              <RelativeTime at={session.created_at} className="ml-auto" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
