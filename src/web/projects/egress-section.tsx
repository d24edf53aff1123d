import { useQuery } from '@tanstack/react-query';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';

const ENTRY_LIMIT = '20';

/** Egress log of the project. */
export function EgressSection({ project }: { project: Project }) {
  const { t, i18n } = useTranslation('projects');
  const query = useQuery(
    apiQuery('GET /projects/:id/egress', { params: { id: project.id }, query: { limit: ENTRY_LIMIT } }),
  );
  const kilobytes = (bytes: number) =>
    (bytes / 1024).toLocaleString(i18n.language, { maximumFractionDigits: bytes < 10_240 ? 1 : 0 });
  return (
    <Section title={t('egress.title')} lead={t('egress.lead')}>
      <QueryState
        query={query}
        showStaleError
        loading={['60%']}
        empty={<p className="text-muted">{t('egress.none')}</p>}
        isEmpty={({ entries }) => entries.length === 0}
      >
        {({ entries }) => (
          <ul>
            {entries.map(({ id, at, purpose, host, bytes_sent: sent, bytes_received: received, user }) => (
              <li
                key={id}
                className="flex min-h-8 flex-wrap items-center gap-x-3 border-t border-border py-1 last:border-b"
              >
                <RelativeTime at={at} className="w-28 text-muted" />
                <span>{t(`egress.purpose.${purpose}`)}</span>
                <span className="min-w-0 font-mono wrap-anywhere">{host}</span>
                <span className="text-muted tabular-nums">
                  {t('egress.bytes', { sent: kilobytes(sent), received: kilobytes(received) })}
                </span>
                {user && <span className="ml-auto text-muted">{user}</span>}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Section>
  );
}
