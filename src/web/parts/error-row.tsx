import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { Verbatim } from './verbatim.tsx';

interface ErrorRowProps {
  error: ErrorGroup;
  /** Column before the state, such as a checkbox. */
  before?: ReactNode;
  /** Small buttons, shown in place of the time while the row is hovered or has the focus. */
  actions?: ReactNode;
  /** Badge after the title's details. */
  badge?: ReactNode;
  linkRef?: Ref<HTMLAnchorElement>;
  selected?: boolean;
}

/** An error in a list: state, title and kind, occurrences of 12 weeks, their number and the last time. */
export function ErrorRow({ error, before, actions, badge, linkRef, selected = false }: ErrorRowProps) {
  const { t, i18n } = useTranslation('inbox');
  const { kind, state, investigation } = error;
  return (
    <div className={clsx('row relative min-h-12 py-1.5', selected && 'bg-select')}>
      {before}
      <StateMark state={state} iconOnly />
      <div className="min-w-0 flex-1">
        {error.session_id === null ? (
          <p className="truncate font-mono text-code">
            <Verbatim text={error.title} />
          </p>
        ) : (
          <Link
            ref={linkRef}
            to={`/debug/${error.session_id}`}
            className="block truncate font-mono text-code after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-action"
          >
            <Verbatim text={error.title} />
          </Link>
        )}
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {badge}
          <span>{error.project_name}</span>
          {kind && <span>{t(`ui:state.${kind}`)}</span>}
          {investigation !== 'done' && <span>{t(`investigation.${investigation}`)}</span>}
          {state !== 'open' && <StateWord state={state} />}
          {error.fix_suggested && <span className="text-success">{t('fix_suggested')}</span>}
        </p>
      </div>
      <Sparkline values={error.weeks} label={t('occurrences')} className="shrink-0 max-lg:hidden" />
      <span className="w-20 shrink-0 text-right text-muted max-sm:hidden">
        {t('times', { count: error.count, value: new Intl.NumberFormat(i18n.language).format(error.count) })}
      </span>
      <div className="relative flex w-28 shrink-0 justify-end text-muted max-md:hidden">
        <RelativeTime at={error.last_seen} />
        {actions && (
          <RowActions className="absolute -inset-y-0.5 right-0 z-10 bg-select pl-2 [@media(hover:none)]:hidden">
            {actions}
          </RowActions>
        )}
      </div>
    </div>
  );
}

const STATE_COLORS = { solved: 'text-success', regressed: 'text-warning', snoozed: '', ignored: '' };

function StateWord({ state }: { state: keyof typeof STATE_COLORS }) {
  const { t } = useTranslation('ui');
  return <span className={STATE_COLORS[state] || undefined}>{t(`state.${state}`)}</span>;
}
