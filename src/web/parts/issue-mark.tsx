import { clsx } from 'clsx';
import { CircleCheck, CircleDot, GitMerge, GitPullRequest, GitPullRequestClosed } from 'lucide-react';
import type { IssueKind, IssueState } from '#contract/issues.ts';
import { useTranslation } from '../i18n.ts';

interface IssueMarkProps {
  kind: IssueKind;
  state: IssueState;
  /** Shows the word beside the icon. */
  isNamed?: boolean;
}

/** State of an issue or pull request as an icon with its word. */
export function IssueMark({ kind, state, isNamed = false }: IssueMarkProps) {
  const { t } = useTranslation('parts');
  const Icon = iconOf(kind, state);
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

function iconOf(kind: IssueKind, state: IssueState) {
  if (kind === 'issue') return state === 'open' ? CircleDot : CircleCheck;
  return state === 'open' ? GitPullRequest : state === 'merged' ? GitMerge : GitPullRequestClosed;
}
