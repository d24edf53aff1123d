import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { formatRelease } from '../parts/format-release.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { errorKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';

const PAGE_SIZE = '20';

interface EventListProps {
  error: ErrorGroup;
  shownId: string | null;
  onOpen: (id: string) => void;
}

/** All events of an error, newest first, loaded when opened. */
export function EventList({ error, shownId, onOpen }: EventListProps) {
  const { t, i18n } = useTranslation('errors-page');
  const [isOpen, setIsOpen] = useState(false);
  const params = { id: error.project_id, error: error.id };
  const query = useInfiniteQuery({
    queryKey: errorKeys.events(error.id),
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /projects/:id/errors/:error/events',
        { params, query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled: isOpen,
  });
  return (
    <section>
      <h2>
        <button type="button" aria-expanded={isOpen} className="link" onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('events.hide') : t('events.all', { count: error.event_count })}
        </button>
      </h2>
      {isOpen && (
        <QueryState query={query} loading={['60%', '60%', '60%']}>
          {({ pages }) => (
            <ul className="mt-2 border-b border-border">
              {pages
                .flatMap((page) => page.events)
                .map((event) => (
                  <li key={event.id} className="border-t border-border">
                    <button
                      type="button"
                      aria-current={event.id === shownId || undefined}
                      onClick={() => onOpen(event.id)}
                      className={clsx(
                        'flex min-h-8 w-full flex-wrap items-center gap-x-4 px-1 text-left hover:bg-select focus-visible:-outline-offset-2',
                        event.id === shownId && 'bg-select font-semibold',
                      )}
                    >
                      <time dateTime={event.at} className="w-44 shrink-0">
                        {formatShortDateTime(event.at, i18n.language)}
                      </time>
                      <span className="min-w-0 flex-1 basis-40 truncate font-mono text-sm text-muted">
                        <Verbatim text={event.title} />
                      </span>
                      {[event.environment, event.release && formatRelease(event.release)].map(
                        (text) =>
                          text && (
                            <span key={text} className="max-w-40 truncate font-mono text-sm text-muted">
                              <Verbatim text={text} />
                            </span>
                          ),
                      )}
                    </button>
                  </li>
                ))}
            </ul>
          )}
        </QueryState>
      )}
      {isOpen && query.hasNextPage && (
        <Button
          className="mt-2"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('events.more')}
        </Button>
      )}
    </section>
  );
}
