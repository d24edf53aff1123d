import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ApiReply } from '#contract/api.ts';
import type { AuditEvent } from '#contract/audit.ts';
import { type ApiError, api } from '../api.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const PAGE_SIZE = 10;

/** What happened to the account that bears on its safety, the newest first. */
export function SecurityLog() {
  const { t } = useTranslation('audit');
  const log = useInfiniteQuery<ApiReply<'GET /auth/events'>, ApiError>({
    queryKey: ['GET /auth/events'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api('GET /auth/events', { query: { skip: String(pageParam), limit: String(PAGE_SIZE) } }, { signal }),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
    staleTime: 0,
  });
  const events = log.data?.pages.flatMap((page) => page.events);
  return (
    <Section title={t('title')} lead={t('lead')}>
      {events?.length === 0 && <p className="text-muted">{t('none')}</p>}
      {events && events.length > 0 && (
        <ul className="-mt-1.5 border-b border-rule">
          {events.map((event) => (
            <AuditEventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {log.error && (
        <Notice kind="error" onRetry={() => log.refetch()}>
          {log.error.message}
        </Notice>
      )}
      {!events && !log.error && <Skeleton rows={['62%', '48%', '55%']} />}
      {log.hasNextPage && (
        <Button
          className="self-start"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </Section>
  );
}

function AuditEventRow({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit');
  const where = [event.device, event.ip].filter(Boolean).join(' · ');
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-rule py-1.5 not-first:border-t">
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <Verbatim text={t(`event.${event.event}`, { ...event.detail, context: undefined })} />
        {where && <div className="text-sm text-muted">{where}</div>}
      </div>
      <RelativeTime at={event.created_at} className="text-muted" />
    </li>
  );
}
