import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { TimelineStep } from '#contract/debug.ts';
import { firstLine } from '#contract/first-line.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Session } from './answer.tsx';
import { CollapsibleHunk } from './collapsible-hunk.tsx';
import { FixOutcomeLabel } from './fix-outcome-label.tsx';

interface EvidenceTimelineProps {
  session: Session;
  /** Steps to show, oldest first. */
  steps: TimelineStep[];
  /** Commit whose lines are shown already. */
  shownCommit: string | null;
}

/** Steps of the history in one row each; a row opens to the lines of its commit. */
export function EvidenceTimeline({ session, steps, shownCommit }: EvidenceTimelineProps) {
  const { t } = useTranslation('debug');
  return (
    <TimelineList label={t('timeline')} pending={shownCommit === null}>
      {steps.map((step) => (
        <Step
          key={`${step.kind}${step.commit?.hash ?? ''}`}
          projectId={session.project_id}
          step={step}
          isShownAbove={step.commit !== null && step.commit.hash === shownCommit}
        />
      ))}
    </TimelineList>
  );
}

interface StepProps {
  projectId: string;
  step: TimelineStep;
  isShownAbove: boolean;
}

function Step({ projectId, step, isShownAbove }: StepProps) {
  const { t } = useTranslation('debug');
  const isCause = step.kind === 'suspect';
  const { commit, hunk } = step;
  const [open, setOpen] = useState(isCause && !isShownAbove);
  const panel = useId();
  const canOpen = hunk != null && !isShownAbove;
  return (
    <TimelineItem cause={isCause}>
      <div className="grid items-baseline gap-x-3 gap-y-0.5 border-b border-border pb-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
        <h3 className={clsx('flex items-center gap-1 font-semibold', isCause && 'text-cause')}>
          {canOpen ? (
            <button
              type="button"
              aria-expanded={open}
              aria-controls={open ? panel : undefined}
              className="-ml-1 inline-flex items-center gap-1 rounded-sm px-1 hover:bg-select"
              onClick={() => setOpen(!open)}
            >
              {t(`step.${step.kind}`)}
              <ChevronRight
                aria-hidden
                className={clsx('size-3.5 transition-transform', open && 'rotate-90')}
              />
            </button>
          ) : (
            t(`step.${step.kind}`)
          )}
        </h3>
        <StepText step={step} />
        <span>
          {commit && <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit.hash }} />}
        </span>
      </div>
      {open && canOpen && (
        <div id={panel} className="pt-2">
          <StepHunk step={step} hunk={hunk} />
        </div>
      )}
    </TimelineItem>
  );
}

/** Subject, author and age of a step, the reason and the outcome. */
function StepText({ step }: { step: TimelineStep }) {
  const now = useNow();
  const { commit, timestamp, outcome, why } = step;
  return (
    <p className="min-w-0 wrap-anywhere text-muted">
      {commit ? (
        <>
          <span className="text-foreground">
            <Verbatim text={firstLine(commit.message)} />
          </span>{' '}
          <Verbatim text={commit.author} />. <SentenceText sentence={why} />
        </>
      ) : (
        <>
          <SentenceText sentence={why} /> <TimeAgo timestamp={timestamp} now={now} />
        </>
      )}
      {outcome && (
        <>
          {' '}
          <FixOutcomeLabel outcome={outcome} />
        </>
      )}
    </p>
  );
}

function StepHunk({
  step,
  hunk,
}: {
  step: TimelineStep;
  hunk: NonNullable<TimelineStep['hunk']>;
}): ReactNode {
  const now = useNow();
  return (
    <HunkFrame title={<Verbatim text={step.path ?? ''} />} cause={step.kind === 'suspect'}>
      <CollapsibleHunk hunk={hunk} path={step.path} timestamp={step.timestamp} now={now} />
    </HunkFrame>
  );
}
