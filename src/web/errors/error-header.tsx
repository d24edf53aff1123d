import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { formatRelease } from '../parts/format-release.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { PageTitle } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StateMark } from '../ui/state-mark.tsx';

/** Characters of a title that are its type, before the message. */
const TYPE = /^([\w.$:\\]{1,120}): ([\s\S]+)$/;

/** Top of the page of an error: breadcrumbs, title, state and figures. */
export function ErrorHeader({ error }: { error: ErrorGroup }) {
  const [, type = null, message = error.title] = TYPE.exec(error.title) ?? [];
  return (
    <header className="mb-4 flex flex-col gap-2">
      <PageTitle>{error.title}</PageTitle>
      <Breadcrumbs error={error} />
      <h1 className="line-clamp-4 max-w-[110ch] font-mono text-answer font-normal wrap-anywhere">
        {type !== null && (
          <>
            <b className="font-semibold">
              <Verbatim text={type} />
            </b>{' '}
          </>
        )}
        <Verbatim text={message} />
      </h1>
      <StateLine error={error} />
      <Figures error={error} />
    </header>
  );
}

function Breadcrumbs({ error }: { error: ErrorGroup }) {
  const { t } = useTranslation('errors-page');
  const project = `/projects/${error.project_id}`;
  return (
    <nav aria-label={t('crumbs')} className="flex min-w-0 flex-wrap gap-2 text-muted">
      <Link to={project} className="hover:text-action">
        {error.project_name}
      </Link>
      <span aria-hidden>/</span>
      <Link to={`${project}/errors`} className="hover:text-action">
        {t('crumb')}
      </Link>
    </nav>
  );
}

/** State with its details, level, place and assignee. */
function StateLine({ error }: { error: ErrorGroup }) {
  const { t, i18n } = useTranslation('errors-page');
  const { state, snooze, solved_in, solved_after, level, culprit, kind, assignee } = error;
  const until = snooze?.until && formatShortDateTime(snooze.until, i18n.language);
  const { events = null, after_release: after = null } = snooze ?? {};
  let detail: string | undefined;
  if (solved_in) detail = t('solved_in', { release: formatRelease(solved_in) });
  else if (solved_after) detail = t('solved_after', { release: formatRelease(solved_after) });
  else if (until) detail = t('snoozed_until', { date: until });
  else if (events !== null) detail = t('snoozed_events', { count: events });
  else if (after !== null) detail = t('snoozed_release', { release: formatRelease(after) });
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <StateMark state={state}>{detail}</StateMark>
      {level && <span>{t(`level.${level}`)}</span>}
      {kind && <span>{t(`ui:state.${kind}`)}</span>}
      {culprit && (
        <span className="min-w-0 font-mono text-sm wrap-anywhere">
          <Verbatim text={culprit} />
        </span>
      )}
      {assignee && (
        <span className="inline-flex items-center gap-1.5">
          <Avatar name={assignee.username} size="small" />
          {t('assigned_to', { name: assignee.username })}
        </span>
      )}
    </p>
  );
}

/** Number of occurrences, and the first and the last with their releases, in a ruled strip. */
function Figures({ error }: { error: ErrorGroup }) {
  const { t, i18n } = useTranslation('errors-page');
  const number = new Intl.NumberFormat(i18n.language);
  const { count, event_count: events, first_seen, last_seen, first_release, last_release } = error;
  return (
    <dl className="mt-2 grid grid-cols-2 gap-x-8 gap-y-3 border-y border-border py-3 sm:flex sm:flex-wrap">
      <Figure
        label={t('figures.count')}
        note={
          events < count
            ? t(events === 0 ? 'figures.all_pasted' : 'figures.pasted', {
                count: count - events,
                value: number.format(count - events),
              })
            : null
        }
      >
        {number.format(count)}
      </Figure>
      <Figure
        label={t('figures.first_seen')}
        note={<Release projectId={error.project_id} name={first_release} />}
      >
        <RelativeTime at={first_seen} />
      </Figure>
      <Figure
        label={t('figures.last_seen')}
        note={<Release projectId={error.project_id} name={last_release} />}
      >
        <RelativeTime at={last_seen} />
      </Figure>
    </dl>
  );
}

function Figure({ label, note, children }: { label: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 sm:min-w-40">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-answer font-semibold">{children}</dd>
      {note && <dd className="text-sm text-muted">{note}</dd>}
    </div>
  );
}

function Release({ projectId, name }: { projectId: string; name: string | null }) {
  const { t } = useTranslation('errors-page');
  if (name === null) return null;
  return (
    <>
      {t('figures.in')}{' '}
      <Link
        to={`/projects/${projectId}/errors?state=all&release=${encodeURIComponent(name)}`}
        title={name}
        className="font-mono wrap-anywhere hover:text-action"
      >
        <Verbatim text={formatRelease(name)} />
      </Link>
    </>
  );
}
