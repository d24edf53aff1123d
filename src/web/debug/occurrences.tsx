import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { useNow } from '../parts/use-now.ts';
import { accusedCommit } from '../parts/verdict-claims.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { Session } from './answer.tsx';
import { AsideSection } from './aside-section.tsx';

/** Occurrences of the error, and the first release with the commit behind it. */
export function Occurrences({ session }: { session: Session }) {
  const { t, i18n } = useTranslation('debug');
  const now = useNow();
  const { error, answer, project_id: projectId } = session;
  const { data } = useQuery(apiQuery('GET /debug/sessions/:id/release', { params: { id: session.id } }));
  const value = new Intl.NumberFormat(i18n.language).format(error.count);
  return (
    <AsideSection
      title={t('seen.title')}
      note={
        <Link to={`/projects/${projectId}/errors/${error.id}`} className="link">
          {t('seen.page')}
        </Link>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-border py-2">
        <dt className="text-muted">{t('seen.count')}</dt>
        <dd>{t('seen.times', { count: error.count, value })}</dd>
        <dt className="text-muted">{t('seen.first')}</dt>
        <dd>
          <RelativeTime at={error.first_seen} />
        </dd>
        <dt className="text-muted">{t('seen.last')}</dt>
        <dd>
          <RelativeTime at={error.last_seen} />
        </dd>
        {data?.commit && (
          <>
            <dt className="text-muted">{t(accusedCommit(answer) ? 'seen.suspect_in' : 'seen.line_in')}</dt>
            <dd className="min-w-0 wrap-anywhere">
              {data.release ? (
                <>
                  <span className="font-mono text-code">{data.release.name}</span>{' '}
                  <span className="text-muted">
                    <TimeAgo timestamp={data.release.timestamp} now={now} />
                  </span>
                </>
              ) : (
                <>
                  {t('seen.unreleased')}{' '}
                  <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: data.commit }} />
                </>
              )}
            </dd>
          </>
        )}
      </dl>
    </AsideSection>
  );
}
