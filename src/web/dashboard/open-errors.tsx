import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { SessionRow } from '#contract/debug.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { NewBadge } from './new-badge.tsx';

const MAX_SESSIONS = 6;

interface OpenErrorsProps {
  sessions: UseQueryResult<ApiReply<'GET /debug/sessions'>, Error>;
  /** Time of the last visit in milliseconds. */
  since: number | null;
}

/** Unsolved debug sessions, newest first. */
export function OpenErrors({ sessions, since }: OpenErrorsProps) {
  const { t } = useTranslation('home');
  return (
    <section aria-labelledby="open-errors">
      <h2 id="open-errors" className="mb-2 text-answer">
        {t('open.title')}
      </h2>
      <QueryState query={sessions} loading={['76%', '58%', '68%']}>
        {(reply) => <OpenErrorList reply={reply} since={since} />}
      </QueryState>
    </section>
  );
}

interface OpenErrorListProps {
  reply: ApiReply<'GET /debug/sessions'>;
  since: number | null;
}

function OpenErrorList({ reply, since }: OpenErrorListProps) {
  const { t } = useTranslation('home');
  const open = newestPerError(reply.sessions.filter(({ state }) => state !== 'solved'));
  if (open.length === 0) {
    return (
      <p className="border-t border-border py-3 text-muted">{t(reply.total ? 'open.none' : 'open.never')}</p>
    );
  }
  return (
    <>
      <ul className="border-b border-border">
        {open.slice(0, MAX_SESSIONS).map((session) => (
          <OpenError key={session.id} session={session} since={since} />
        ))}
      </ul>
      {open.length > MAX_SESSIONS && (
        <Link to="/debug" className="link mt-3 inline-block">
          {t('open.all')}
        </Link>
      )}
    </>
  );
}

/** Keeps the newest session of each error. */
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
    <li className="border-t border-border">
      <Link to={`/debug/${session.id}`} className="-mx-2 block rounded-md px-2 py-2 hover:bg-select">
        <span className="line-clamp-2 font-mono text-sm wrap-anywhere">
          <Verbatim text={session.title} />
        </span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-muted">
          <NewBadge at={session.created_at} since={since} />
          <span>{session.project_name}</span>
          <span>{session.author}</span>
          {session.state === 'regressed' && (
            <span className="font-semibold text-warning">{t('open.came_back')}</span>
          )}
          <RelativeTime at={session.created_at} className="ml-auto" />
        </span>
      </Link>
    </li>
  );
}
