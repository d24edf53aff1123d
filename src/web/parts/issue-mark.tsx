import { clsx } from 'clsx';
import { CircleCheck, CircleDot, GitMerge } from 'lucide-react';
import type { IssueState } from '#contract/issues.ts';
import { useTranslation } from '../i18n.ts';

const ICONS = { open: CircleDot, closed: CircleCheck, merged: GitMerge };

interface IssueMarkProps {
  state: IssueState;
  /** Shows the word beside the icon. */
  isNamed?: boolean;
}

/** State of an issue or pull request as an icon with its word. */
export function IssueMark({ state, isNamed = false }: IssueMarkProps) {
  const { t } = useTranslation('parts');
  const Icon = ICONS[state];
  const word = t(`issue.state.${state}`);
  return (
    <span
      title={word}
      className={clsx(
        'inline-flex shrink-0 items-center gap-1 text-sm',
        state === 'open' ? 'text-action' : state === 'merged' ? 'text-success' : 'text-muted',
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      <span className={clsx(!isNamed && 'sr-only')}>{word}</span>
    </span>
  );
}
