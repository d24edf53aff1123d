import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { formatBytes } from './format-bytes.ts';
import { PageButtons } from './page-buttons.tsx';
import { PAGE_SIZE } from './searchable-list.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';
import { Table } from './table.tsx';

/** Log of every model call and git connection that left the machine. */
export function EgressList() {
  const { t, i18n } = useTranslation(['admin', 'projects']);
  const [skip, setSkip] = useState(0);
  const page = useQuery({
    ...apiQuery('GET /admin/egress', { query: { skip: String(skip), limit: String(PAGE_SIZE) } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const size = (bytes: number) => formatBytes(bytes, i18n.language);
  return (
    <>
      <p className="mb-3 max-w-[68ch] text-muted">{t('egress.lead')}</p>
      <QueryState query={page} loading={SKELETON_ROWS}>
        {({ entries, has_more }) => (
          <>
            {entries.length === 0 && <p className="text-muted">{t('egress.none')}</p>}
            {entries.length > 0 && (
              <Table
                label={t('tabs.egress')}
                columns={[
                  { name: t('egress.time') },
                  { name: t('egress.purpose') },
                  { name: t('egress.host') },
                  { name: t('egress.sent'), numeric: true },
                  { name: t('egress.received'), numeric: true },
                  { name: t('egress.status'), numeric: true },
                  { name: t('egress.user') },
                ]}
                rows={entries.map((entry) => ({
                  key: entry.id,
                  cells: [
                    <RelativeTime key="time" at={entry.at} className="whitespace-nowrap" />,
                    t(`projects:egress.purpose.${entry.purpose}`),
                    <span key="host" className="font-mono text-sm">
                      {entry.host}
                    </span>,
                    size(entry.bytes_sent),
                    size(entry.bytes_received),
                    entry.status ?? t('egress.no_response'),
                    entry.user ?? t('egress.no_user'),
                  ],
                }))}
              />
            )}
            <PageButtons skip={skip} hasMore={has_more} onSkip={setSkip} />
          </>
        )}
      </QueryState>
    </>
  );
}
