import { clsx } from 'clsx';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FixOutcome, Suspect, TimelineStep } from '#contract/debug.ts';
import { firstLine } from '#contract/first-line.ts';
import { AgeTick, TimeAgo } from '../parts/age-mark.tsx';
import { commitUrl } from '../parts/citation.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { FixOutcomeLabel } from './fix-outcome-label.tsx';

const MAX_COLLAPSED_LINES = 32;

/** Evidence in chronological order: introduced, fixed before, suspect, first seen, now. */
export function Timeline({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { answer, project_id } = session;
  if (answer.timeline.length === 0) return null;
  return (
    <>
      <TimelineList label={t('timeline')} pending={answer.abstained}>
        {answer.timeline.map((step) => (
          <Step
            key={`${step.kind}${step.commit?.hash ?? ''}`}
            projectId={project_id}
            commit={answer.indexed_commit}
            step={step}
          />
        ))}
      </TimelineList>
      <OtherSuspects projectId={project_id} answer={answer} />
    </>
  );
}

interface StepProps {
  projectId: string;
  /** Commit at which the code was read. */
  commit: string;
  step: TimelineStep;
}

function Step({ projectId, commit, step }: StepProps) {
  const { t } = useTranslation('debug');
  const cause = step.kind === 'suspect';
  return (
    <TimelineItem cause={cause}>
      <StepHeader
        projectId={projectId}
        title={t(`step.${step.kind}`)}
        cause={cause}
        timestamp={step.timestamp}
        hideAge={step.kind === 'now'}
        author={step.commit?.author}
        hash={step.commit?.hash}
        outcome={step.outcome}
      />
      <p className="mb-2 max-w-[68ch] text-answer wrap-anywhere">
        <SentenceText sentence={step.why} />{' '}
        {step.kind !== 'suspect' && step.path && step.lines && (
          <CitationChip
            projectId={projectId}
            citation={{
              kind: 'file',
              path: step.path,
              from: step.lines[0],
              to: step.lines[1],
              commit: step.commit?.hash ?? commit,
            }}
          />
        )}
      </p>
      <StepHunk projectId={projectId} step={step} cause={cause} />
    </TimelineItem>
  );
}

interface StepHeaderProps {
  projectId: string;
  title: string;
  cause: boolean;
  timestamp: string;
  /** Hides the age of a step that is the present. */
  hideAge: boolean;
  author: string | undefined;
  hash: string | undefined;
  outcome: FixOutcome | undefined;
}

function StepHeader(props: StepHeaderProps) {
  const now = useNow();
  return (
    <div className="mb-1 flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <AgeTick timestamp={props.timestamp} now={now} />
      <h3 className={clsx('font-[650]', props.cause && 'text-cause')}>{props.title}</h3>
      <span className="text-muted">
        {props.author && (
          <>
            <Verbatim text={props.author} />
            {', '}
          </>
        )}
        {!props.hideAge && <TimeAgo timestamp={props.timestamp} now={now} />}
      </span>
      {props.hash && (
        <CitationChip projectId={props.projectId} citation={{ kind: 'commit', hash: props.hash }} />
      )}
      {props.outcome && <FixOutcomeLabel outcome={props.outcome} />}
    </div>
  );
}

function StepHunk({ projectId, step, cause }: { projectId: string; step: TimelineStep; cause: boolean }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const { commit, hunk, path } = step;
  return (
    <>
      {hunk && (
        <HunkFrame
          title={<Verbatim text={path ?? ''} />}
          aside={
            commit && (
              <span className="line-clamp-1 break-all">
                {commit.hash.slice(0, 7)} · <Verbatim text={firstLine(commit.message)} />
              </span>
            )
          }
        >
          <CollapsibleHunk hunk={hunk} timestamp={step.timestamp} now={now} cause={cause} />
        </HunkFrame>
      )}
      {cause && commit && (
        <div className="mt-3 flex flex-wrap gap-2">
          <ButtonLink to={commitUrl(projectId, commit.hash)}>{t('open_commit')}</ButtonLink>
        </div>
      )}
    </>
  );
}

/** Collapses hunks longer than `MAX_COLLAPSED_LINES`. */
function CollapsibleHunk({ hunk, ...shown }: ComponentProps<typeof DiffView>) {
  const { t } = useTranslation('debug');
  const [expanded, setExpanded] = useState(false);
  const long = hunk.lines.length > MAX_COLLAPSED_LINES;
  return (
    <>
      <DiffView
        {...shown}
        hunk={long && !expanded ? { ...hunk, lines: hunk.lines.slice(0, MAX_COLLAPSED_LINES) } : hunk}
      />
      {long && (
        <Button
          kind="ghost"
          size="small"
          aria-expanded={expanded}
          className="my-1 ml-1 font-sans text-sm"
          onClick={() => setExpanded(!expanded)}
        >
          {t(expanded ? 'show_less' : 'show_more')}
        </Button>
      )}
    </>
  );
}

/** Suspects that are not in the timeline. */
function OtherSuspects({ projectId, answer }: { projectId: string; answer: Session['answer'] }) {
  const { t } = useTranslation('debug');
  const timelineHashes = new Set(answer.timeline.map((step) => step.commit?.hash));
  const others = answer.suspect_commits.filter((suspect) => !timelineHashes.has(suspect.hash));
  if (others.length === 0) return null;
  return (
    <section className="mb-6 pl-10 max-sm:pl-7">
      <h3 className="mb-1">{t(answer.abstained ? 'related_commits' : 'other_suspects')}</h3>
      <ul className="border-t border-border">
        {others.map((suspect) => (
          <OtherSuspect key={suspect.hash} projectId={projectId} suspect={suspect} />
        ))}
      </ul>
    </section>
  );
}

function OtherSuspect({ projectId, suspect }: { projectId: string; suspect: Suspect }) {
  const now = useNow();
  return (
    <li className="border-b border-border py-2">
      <p className="flex gap-x-2">
        <span className="flex h-5 items-center">
          <AgeTick timestamp={suspect.timestamp} now={now} />
        </span>
        <span className="min-w-0 wrap-anywhere">
          <Verbatim text={firstLine(suspect.message)} />{' '}
          <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: suspect.hash }} />
        </span>
      </p>
      <p className="text-muted">
        <Verbatim text={suspect.author} />, <TimeAgo timestamp={suspect.timestamp} now={now} />.{' '}
        <SentenceText sentence={suspect.why} />
      </p>
    </li>
  );
}
