import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { PageButtons } from './page-buttons.tsx';
import { PAGE_SIZE } from './searchable-list.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

type AuditEntry = ApiReply<'GET /admin/events'>['events'][number];

/** Security events of all accounts, newest first. */
export function AuditList() {
  const { t } = useTranslation('admin');
  const [skip, setSkip] = useState(0);
  const page = useQuery({
    ...apiQuery('GET /admin/events', { query: { skip: String(skip), limit: String(PAGE_SIZE) } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <>
      <p className="mb-3 max-w-[68ch] text-muted">{t('audit.lead')}</p>
      <QueryState query={page} loading={SKELETON_ROWS}>
        {({ events, has_more }) => (
          <>
            {events.length === 0 && <p className="text-muted">{t('audit.none')}</p>}
            <ul className="border-t border-border">
              {events.map((entry) => (
                <AuditRow key={entry.id} entry={entry} />
              ))}
            </ul>
            <PageButtons skip={skip} hasMore={has_more} onSkip={setSkip} />
          </>
        )}
      </QueryState>
    </>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin');
  const { t: tAudit } = useTranslation('audit');
  const { event, detail, username, device, ip } = entry;
  const sentence = tAudit(`event.${event}`, { ...detail, context: undefined });
  const facts = Object.entries(detail)
    .filter(([, value]) => !sentence.includes(value))
    .map(([name, value]) => `${name}: ${value}`);
  const where = [...facts, device, ip].filter(Boolean).join(' · ');
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-border py-1.5">
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-semibold">{username ?? t('audit.unknown')}</span> · <Verbatim text={sentence} />
        {where && <div className="text-sm text-muted">{where}</div>}
      </div>
      <RelativeTime at={entry.created_at} className="text-muted" />
    </li>
  );
}
