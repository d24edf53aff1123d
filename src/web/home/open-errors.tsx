import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { SessionRow } from '#contract/debug.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { NewBadge } from './new-badge.tsx';

const MAX_SESSIONS = 6;

interface OpenErrorsProps {
  sessions: UseQueryResult<ApiReply<'GET /debug/sessions'>, Error>;
  /** When the reader last looked, in milliseconds. */
  since: number | null;
}

/** Errors that were asked about and are not solved, newest first. */
export function OpenErrors({ sessions, since }: OpenErrorsProps) {
  const { t } = useTranslation('home');
  const { data, error, refetch } = sessions;
  const open = data && newestPerError(data.sessions.filter(({ state }) => state !== 'solved'));
  return (
    <section aria-labelledby="open-errors">
      <h2 id="open-errors" className="mb-2 text-answer">
        {t('open.title')}
      </h2>
      {!data && error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['76%', '58%', '68%']} />}
      {open?.length === 0 && (
        <p className="border-t border-rule py-3 text-muted">{t(data?.total ? 'open.none' : 'open.never')}</p>
      )}
      {open && open.length > 0 && (
        <ul className="border-b border-rule">
          {open.slice(0, MAX_SESSIONS).map((session) => (
            <OpenError key={session.id} session={session} since={since} />
          ))}
        </ul>
      )}
      {open && open.length > MAX_SESSIONS && (
        <Link to="/debug" className="link mt-3 inline-block">
          {t('open.all')}
        </Link>
      )}
    </section>
  );
}

/** An error that was asked about again stands once, by its newest session. */
function newestPerError(sessions: SessionRow[]): SessionRow[] {
  const seen = new Set<string>();
  return sessions.filter(({ project_id, title }) => {
    const error = `${project_id}\0${title}`;
    return !seen.has(error) && seen.add(error);
  });
}

function OpenError({ session, since }: { session: SessionRow; since: number | null }) {
  const { t } = useTranslation('home');
  return (
    <li className="border-t border-rule">
      <Link to={`/debug/${session.id}`} className="-mx-2 block rounded-md px-2 py-2 hover:bg-select">
        <span className="line-clamp-2 font-mono text-sm wrap-anywhere">
          <Verbatim text={session.title} />
        </span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
          <NewBadge at={session.created_at} since={since} />
          <span>{session.project_name}</span>
          <span>{session.author}</span>
          {session.state === 'regressed' && (
            <span className="font-semibold text-doubt">{t('open.came_back')}</span>
          )}
          <RelativeTime at={session.created_at} className="ml-auto" />
        </span>
      </Link>
    </li>
  );
}
