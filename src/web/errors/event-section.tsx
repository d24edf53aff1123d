import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Split } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { ErrorEventDetail } from '#contract/error-events.ts';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { formatRelease } from '../parts/format-release.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { IconButton } from '../ui/button.tsx';
import { formatFullDateTime } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EventBreadcrumbs } from './event-breadcrumbs.tsx';
import { EventExceptions } from './event-exceptions.tsx';
import { EventFacts } from './event-facts.tsx';
import { EventList } from './event-list.tsx';
import { useErrorKeys } from './use-error-keys.ts';
import { useSplit } from './use-merge.ts';

/** The event of the address, else the newest one, with the way to its neighbours; and the list of all. */
export function EventSection({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const { error, latest, is_editable: isEditable } = detail;
  const [params, setParams] = useSearchParams();
  const shownId = params.get('event') ?? latest?.id ?? '';
  const query = useQuery({
    ...apiQuery('GET /projects/:id/errors/:error/events/:event', {
      params: { id: error.project_id, error: error.id, event: shownId },
    }),
    enabled: shownId !== '',
    placeholderData: keepPreviousData,
  });
  const event = query.data ?? (params.has('event') ? undefined : (latest ?? undefined));
  const { newer = null, older = null } = query.data ?? {};
  const open = (id: string | null) => {
    if (id === null) return;
    setParams(id === latest?.id ? {} : { event: id }, { replace: true, preventScrollReset: true });
  };
  const split = useSplit(error.project_id, error.id);
  const splitOff = (id: string) =>
    split.mutate(
      { event: id },
      { onSuccess: () => setParams({}, { replace: true, preventScrollReset: true }) },
    );
  useErrorKeys(() => ({ k: () => open(newer), j: () => open(older) }));
  if (shownId === '') {
    return (
      <p className="border-t border-border py-4 text-muted">
        {t(error.event_count > 0 ? 'event.expired' : 'event.none')}
      </p>
    );
  }
  return (
    <section aria-labelledby="event" aria-busy={query.isPlaceholderData} className="flex flex-col gap-6">
      <div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border pb-2">
          <h2 id="event" className="text-answer">
            {t(params.has('event') ? 'event.one' : 'event.newest')}
          </h2>
          {event && <EventTime event={event} />}
          <div className="ml-auto flex">
            {isEditable && error.count > 1 && event && (
              <IconButton
                label={t('split.event')}
                icon={<Split aria-hidden className="size-4" />}
                disabled={split.isPending || query.isPlaceholderData}
                onClick={() => splitOff(event.id)}
              />
            )}
            <IconButton
              label={t('event.newer')}
              icon={<ChevronLeft aria-hidden className="size-4" />}
              disabled={newer === null}
              onClick={() => open(newer)}
            />
            <IconButton
              label={t('event.older')}
              icon={<ChevronRight aria-hidden className="size-4" />}
              disabled={older === null}
              onClick={() => open(older)}
            />
          </div>
        </div>
        {split.error && (
          <Notice kind="error" className="mt-3" onRetry={() => event && splitOff(event.id)}>
            {split.error.message}
          </Notice>
        )}
        {query.error && (
          <Notice kind="error" className="mt-3" onRetry={query.refetch}>
            {query.error.message}
          </Notice>
        )}
        {event ? <EventBody projectId={error.project_id} event={event} /> : !query.error && <Skeleton />}
      </div>
      <EventList error={error} shownId={event?.id ?? null} onOpen={open} />
    </section>
  );
}

function EventTime({ event }: { event: ErrorEventDetail }) {
  const { t, i18n } = useTranslation('errors-page');
  const facts: ReactNode[] = [
    <time key="time" dateTime={event.at}>
      {formatFullDateTime(event.at, i18n.language)}
    </time>,
  ];
  for (const text of [event.environment, event.release && formatRelease(event.release), event.transaction]) {
    if (text === null) continue;
    facts.push(
      <span key={`${facts.length}`} className="min-w-0 truncate font-mono text-sm">
        <Verbatim text={text} />
      </span>,
    );
  }
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 text-muted">
      {facts}
      <span className="sr-only">{t(`level.${event.level}`)}</span>
    </p>
  );
}

function EventBody({ projectId, event }: { projectId: string; event: ErrorEventDetail }) {
  const { t } = useTranslation('errors-page');
  return (
    <div className="mt-3 flex flex-col gap-6">
      {event.message && (
        <div>
          <h3 className="mb-1">{t('event.message')}</h3>
          <p className="border-l-2 border-border pl-2.5 font-mono text-code wrap-anywhere whitespace-pre-wrap">
            <Verbatim text={event.message} />
          </p>
        </div>
      )}
      {event.exceptions.length > 0 && (
        <EventExceptions key={`trace ${event.id}`} projectId={projectId} event={event} />
      )}
      {event.breadcrumbs.length > 0 && <EventBreadcrumbs key={`crumbs ${event.id}`} event={event} />}
      <EventFacts event={event} />
    </div>
  );
}
