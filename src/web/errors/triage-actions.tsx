import { AlarmClock, CircleCheck, EyeOff, GitMerge, RotateCcw, Tag, Trash2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { isOneProject, type Triage } from './use-triage.ts';

interface TriageActionsProps {
  errors: ErrorGroup[];
  triage: Triage;
  size?: 'normal' | 'small';
}

/** Actions on one or more errors, in one row. Those that need one project are left out for errors of several. */
export function TriageActions({ errors, triage, size = 'normal' }: TriageActionsProps) {
  const { t } = useTranslation(['errors-page', 'inbox']);
  const isActive = errors.some(({ state }) => state === 'open' || state === 'regressed');
  const has = (state: ErrorGroup['state']) => errors.some((error) => error.state === state);
  const button = (label: string, icon: ReactNode, onClick: () => void) => (
    <Button key={label} size={size} loading={triage.isPending} onClick={onClick}>
      {icon}
      {label}
    </Button>
  );
  const icon = 'size-4';
  return (
    <>
      {errors.some(({ state }) => state !== 'solved') &&
        button(t('inbox:resolve'), <CircleCheck aria-hidden className={icon} />, () =>
          triage.change(errors, { state: 'solved' }),
        )}
      {isOneProject(errors) &&
        !errors.every(({ state }) => state === 'solved') &&
        button(t('actions.resolve_in'), <Tag aria-hidden className={icon} />, () =>
          triage.ask('release', errors),
        )}
      {(has('solved') || has('snoozed') || has('ignored')) &&
        button(t('inbox:reopen'), <RotateCcw aria-hidden className={icon} />, () =>
          triage.change(errors, { state: 'open' }),
        )}
      {button(t('actions.assign'), <UserRound aria-hidden className={icon} />, () =>
        triage.ask('assign', errors),
      )}
      {isActive &&
        button(t('actions.snooze'), <AlarmClock aria-hidden className={icon} />, () =>
          triage.ask('snooze', errors),
        )}
      {isActive &&
        button(t('actions.ignore'), <EyeOff aria-hidden className={icon} />, () =>
          triage.change(errors, { state: 'ignored' }),
        )}
    </>
  );
}

/** Opens the dialog that confirms the deletion of errors. */
export function DeleteAction({ errors, triage, size = 'normal' }: TriageActionsProps) {
  const { t } = useTranslation('errors-page');
  return (
    <Button size={size} loading={triage.isPending} onClick={() => triage.ask('delete', errors)}>
      <Trash2 aria-hidden className="size-4" />
      {t('actions.delete')}
    </Button>
  );
}

interface MergeActionProps extends TriageActionsProps {
  label: string;
}

/** Opens the dialog that merges errors of one project. */
export function MergeAction({ errors, triage, size = 'normal', label }: MergeActionProps) {
  if (!isOneProject(errors)) return null;
  return (
    <Button size={size} loading={triage.isPending} onClick={() => triage.ask('merge', errors)}>
      <GitMerge aria-hidden className="size-4" />
      {label}
    </Button>
  );
}
