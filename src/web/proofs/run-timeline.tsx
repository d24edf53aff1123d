import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useId, useState } from 'react';
import type { Proof, ProofRun } from '#contract/proofs.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { formatDuration } from '../parts/format-duration.ts';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, Spinner } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { OutputText } from './output-text.tsx';

/** Runs of a proof in their order, the one under way last. */
export function RunTimeline({ proof }: { proof: Proof }) {
  const { t } = useTranslation('proofs');
  const { result, first_bad: firstBad } = proof;
  const { runs, reused, current } = result ?? { runs: [], reused: [], current: null };
  const isRunning = proof.state === 'running';
  if (!isRunning && runs.length + reused.length === 0) return null;
  return (
    <div className="px-3 py-2.5">
      <TimelineList label={t('timeline')} pending={firstBad === null}>
        {runs.map((run) => (
          <TimelineItem key={run.number} cause={run.commit === firstBad}>
            <RunRow proof={proof} run={run} />
          </TimelineItem>
        ))}
        {isRunning && (current || runs.length === 0) && (
          <TimelineItem>
            <p role="status" className="flex min-h-5 flex-wrap items-center gap-x-3 text-action">
              <span className="inline-flex min-w-32 items-center gap-1.5">
                <Spinner />
                {t(current ? 'running_at' : 'preparing')}
              </span>
              {current && <CommitLabel projectId={proof.project_id} {...current} />}
            </p>
          </TimelineItem>
        )}
      </TimelineList>
      {reused.length > 0 && <p className="text-sm text-muted">{t('reused', { count: reused.length })}</p>}
    </div>
  );
}

const OUTCOMES = {
  good: [CircleCheck, 'text-success'],
  bad: [CircleX, 'state-solid'],
  skip: [CircleMinus, 'text-warning'],
} as const;

function RunRow({ proof, run }: { proof: Proof; run: ProofRun }) {
  const { t, i18n } = useTranslation('proofs');
  const [open, setOpen] = useState(false);
  const logId = useId();
  const [Icon, color] = OUTCOMES[run.outcome];
  const reason = run.skip_reason ? t(`skip_reason.${run.skip_reason}`) : t(`purpose.${run.purpose}`);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <span
          className={clsx(
            'inline-flex w-32 items-center gap-1.5 font-medium',
            run.outcome !== 'bad' && color,
          )}
        >
          <Icon aria-hidden className={clsx('size-4 shrink-0', color)} />
          {t(`outcome.${run.outcome}`)}
        </span>
        <CommitLabel projectId={proof.project_id} commit={run.commit} message={run.message} />
        <span className="ml-auto flex shrink-0 items-center gap-x-3 text-sm text-muted tabular-nums">
          <span>{reason}</span>
          {proof.source === 'server' && <span>{formatDuration(run.ms, i18n.language)}</span>}
          {run.has_log && (
            <Button
              size="small"
              kind="ghost"
              className="text-sm"
              aria-expanded={open}
              aria-controls={logId}
              onClick={() => setOpen(!open)}
            >
              {t('output')}
            </Button>
          )}
        </span>
      </div>
      <div id={logId}>{open && <RunLog proofId={proof.id} run={run} />}</div>
    </>
  );
}

function CommitLabel({ projectId, commit, message }: { projectId: string; commit: string; message: string }) {
  return (
    <span className="flex min-w-0 flex-1 basis-60 items-baseline gap-2">
      <span className="shrink-0">
        <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit }} />
      </span>
      <span className="min-w-0 truncate text-foreground" title={message}>
        <Verbatim text={message} max={200} />
      </span>
    </span>
  );
}

/** Output of one run, loaded when it is opened. */
function RunLog({ proofId, run }: { proofId: string; run: ProofRun }) {
  const { t } = useTranslation('proofs');
  const params = { id: proofId, number: String(run.number) };
  const query = useQuery({
    ...apiQuery('GET /proofs/:id/runs/:number/log', { params }),
    staleTime: Infinity,
  });
  return (
    <QueryState query={query} loading={['70%', '50%']} errorClassName="my-2">
      {({ text, is_truncated }) => (
        <figure className="my-2">
          <OutputText
            label={t('output_of', { commit: run.commit.slice(0, 7) })}
            text={text.trim() === '' ? t('no_output') : text}
          />
          {is_truncated && <figcaption className="text-sm text-muted">{t('truncated')}</figcaption>}
        </figure>
      )}
    </QueryState>
  );
}
