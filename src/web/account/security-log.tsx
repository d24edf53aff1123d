import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import type { AuditEvent } from '#contract/audit.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';

const PAGE_SIZE = 10;

/** Security events of the account, newest first. */
export function SecurityLog() {
  const { t } = useTranslation('audit');
  const log = useInfiniteQuery<ApiReply<'GET /auth/events'>, ApiError>({
    queryKey: accountKeys.securityLog,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api('GET /auth/events', { query: { skip: String(pageParam), limit: String(PAGE_SIZE) } }, { signal }),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
    staleTime: 0,
  });
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState
        query={log}
        showStaleError
        loading={['62%', '48%', '55%']}
        empty={<p className="text-muted">{t('none')}</p>}
        isEmpty={({ pages }) => pages[0]?.events.length === 0}
      >
        {({ pages }) => (
          <ul className="-mt-1.5 border-b border-border">
            {pages
              .flatMap(({ events }) => events)
              .map((event) => (
                <AuditEventRow key={event.id} event={event} />
              ))}
          </ul>
        )}
      </QueryState>
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
    <li className="flex flex-wrap justify-between gap-x-4 border-border py-1.5 not-first:border-t">
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <Verbatim text={t(`event.${event.event}`, { ...event.detail, context: undefined })} />
        {where && <div className="text-sm text-muted">{where}</div>}
      </div>
      <RelativeTime at={event.created_at} className="text-muted" />
    </li>
  );
}
