import { clsx } from 'clsx';
import {
  AlarmClock,
  ArrowDownToLine,
  Ban,
  Bug,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleQuestionMark,
  CircleX,
  Clock,
  CornerUpRight,
  EyeOff,
  GitCommitHorizontal,
  GitMerge,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  Server,
  ShieldAlert,
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n.ts';
import { Spinner } from './button.tsx';

const QUIET = 'text-muted';
const GOOD = 'text-success';
const DOUBTFUL = 'text-warning';
const LIVE = 'text-action';
/** Failures are ink, in bold: red belongs to the suspect. */
const BAD = 'text-foreground font-semibold';

/** Icon and color of each state; its word is `ui:state.<name>`. */
const STATES = {
  queued: [Clock, QUIET],
  running: [null, LIVE],
  ready: [CircleCheck, GOOD],
  failed: [CircleX, BAD],
  behind: [ArrowDownToLine, DOUBTFUL],
  paused: [CirclePause, QUIET],
  off: [Ban, QUIET],
  open: [CircleDot, LIVE],
  solved: [CircleCheck, GOOD],
  regressed: [RotateCcw, DOUBTFUL],
  snoozed: [AlarmClock, QUIET],
  ignored: [EyeOff, QUIET],
  regression: [GitCommitHorizontal, 'text-cause'],
  defect: [Bug, QUIET],
  guard: [ShieldAlert, QUIET],
  usage: [UserRound, QUIET],
  environment: [Server, QUIET],
  foreign: [CornerUpRight, QUIET],
  vague: [CircleQuestionMark, QUIET],
  in_place: [CircleCheck, GOOD],
  undone: [RotateCcw, DOUBTFUL],
  draft: [PencilLine, QUIET],
  pushed: [CircleCheck, GOOD],
  merged: [GitMerge, GOOD],
  conflict: [TriangleAlert, DOUBTFUL],
  missing: [CircleDashed, QUIET],
} as const satisfies Record<string, readonly [LucideIcon | null, string]>;
export type State = keyof typeof STATES;

/** Every state, in the order of the design page. */
export const ALL_STATES = Object.keys(STATES) as State[];

interface StateMarkProps {
  state: State;
  /** Replaces the word of the state, for example by the phase of an activity. */
  children?: ReactNode;
  /** Hides the word; it stays as tooltip and for screen readers. */
  iconOnly?: boolean;
  className?: string;
}

/** State as icon, color and word. */
export function StateMark({ state, children, iconOnly = false, className }: StateMarkProps) {
  const { t } = useTranslation('ui');
  const [Icon, color] = STATES[state];
  const word = t(`state.${state}`);
  return (
    <span
      title={iconOnly ? word : undefined}
      className={clsx('inline-flex min-w-0 items-center gap-1.5', color, className)}
    >
      {Icon ? (
        <Icon aria-hidden="true" className={clsx('size-4 shrink-0', state === 'failed' && 'state-solid')} />
      ) : (
        <span className="inline-flex w-4 shrink-0 justify-center">
          <Spinner />
        </span>
      )}
      <span className={iconOnly ? 'sr-only' : 'min-w-0'}>{children ?? word}</span>
    </span>
  );
}
