import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { formatRelease } from './format-release.ts';
import { Verbatim } from './verbatim.tsx';

interface ErrorRowProps {
  error: ErrorGroup;
  /** False within a project. */
  showsProject?: boolean;
  /** Column before the state, such as a checkbox. */
  before?: ReactNode;
  /** Small buttons, shown in place of the times while the row is hovered or has the focus. */
  actions?: ReactNode;
  /** Badge before the title's details. */
  badge?: ReactNode;
  linkRef?: Ref<HTMLAnchorElement>;
  selected?: boolean;
}

/** Page of an error: its own where events have arrived, else its answer. */
function errorUrl({ project_id, id, event_count, session_id }: ErrorGroup): string {
  return event_count === 0 && session_id !== null
    ? `/debug/${session_id}`
    : `/projects/${project_id}/errors/${id}`;
}

/** An error in a list: state, title and details, occurrences of 12 weeks, their number, first and last time, assignee. */
export function ErrorRow({
  error,
  showsProject = true,
  before,
  actions,
  badge,
  linkRef,
  selected = false,
}: ErrorRowProps) {
  const { t, i18n } = useTranslation('inbox');
  const { count, assignee } = error;
  const times = t('times', { count, value: new Intl.NumberFormat(i18n.language).format(count) });
  return (
    <div className={clsx('row relative min-h-12 py-1.5', selected && 'bg-select')}>
      {before}
      <StateMark state={error.state} iconOnly />
      <div className="min-w-0 flex-1">
        <Link
          ref={linkRef}
          data-error={error.id}
          to={errorUrl(error)}
          className="block truncate font-mono text-code after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-action"
        >
          <Verbatim text={error.title} />
        </Link>
        <p className="flex gap-x-3 text-sm whitespace-nowrap text-muted *:shrink-0 max-sm:flex-wrap">
          {badge}
          {showsProject && <span>{error.project_name}</span>}
          <Details error={error} />
          <span className="sm:hidden">{times}</span>
          <RelativeTime at={error.last_seen} className="md:hidden" />
        </p>
      </div>
      <span
        title={assignee ? t('assigned_to', { name: assignee.username }) : undefined}
        className="w-6 shrink-0 empty:max-sm:hidden"
      >
        {assignee && (
          <>
            <Avatar name={assignee.username} />
            <span className="sr-only">{t('assigned_to', { name: assignee.username })}</span>
          </>
        )}
      </span>
      <Sparkline values={error.weeks} label={t('occurrences')} className="shrink-0 max-lg:hidden" />
      <span className="w-20 shrink-0 text-right text-muted max-sm:hidden">{times}</span>
      <div className="relative w-40 shrink-0 text-right whitespace-nowrap text-muted max-md:hidden">
        <div className={clsx(actions && 'in-[.row:hover]:invisible in-[.row:focus-within]:invisible')}>
          <RelativeTime at={error.last_seen} className="block" />
          <span className="block text-sm">{t('first', { at: error.first_seen })}</span>
        </div>
        {actions && (
          <RowActions className="absolute inset-0 z-10 justify-end [@media(hover:none)]:hidden">
            {actions}
          </RowActions>
        )}
      </div>
    </div>
  );
}

/** Place, kind, and what is not as usual: state, missing answer, suggested fix. */
function Details({ error }: { error: ErrorGroup }) {
  const { t } = useTranslation('inbox');
  const { culprit, kind, state, investigation, session_id, last_release, fix_suggested } = error;
  return (
    <>
      {culprit && (
        <span className="min-w-0 shrink! truncate font-mono">
          <Verbatim text={culprit} />
        </span>
      )}
      {kind && <span>{t(`ui:state.${kind}`)}</span>}
      {session_id === null && investigation !== 'done' && <span>{t(`investigation.${investigation}`)}</span>}
      {state !== 'open' && <StateWord state={state} />}
      {last_release && (
        <span
          title={t('last_release', { release: last_release })}
          className="max-w-48 truncate font-mono sm:max-xl:hidden"
        >
          <Verbatim text={formatRelease(last_release)} />
        </span>
      )}
      {fix_suggested && <span className="text-success">{t('fix_suggested')}</span>}
    </>
  );
}

const STATE_COLORS = { solved: 'text-success', regressed: 'text-warning', snoozed: '', ignored: '' };

function StateWord({ state }: { state: keyof typeof STATE_COLORS }) {
  const { t } = useTranslation('ui');
  return <span className={STATE_COLORS[state] || undefined}>{t(`state.${state}`)}</span>;
}
