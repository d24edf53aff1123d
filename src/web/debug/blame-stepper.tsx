import { useMutation, useQuery } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { accusedCommit } from '../parts/verdict-claims.ts';
import { Button } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import type { FrameRange } from './answer-frames.ts';
import { excerptQuery } from './code-excerpt.tsx';
import { lineBefore } from './line-before.ts';

/** A range of a file at a commit. */
export interface BlameStep {
  range: FrameRange;
  commit: string;
}

interface BlameStepperProps {
  session: Session;
  current: BlameStep;
  /** Steps back from the answer's own range. */
  steps: BlameStep[];
  onSteps: (steps: BlameStep[]) => void;
}

/** The commit that changed the shown line last, and a step to the line before it. */
export function BlameStepper({ session, current, steps, onSteps }: BlameStepperProps) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const projectId = session.project_id;
  const { range, commit } = current;
  const { data } = useQuery(excerptQuery({ projectId, ...current }));
  const run = data?.blame.find(({ start, lines }) => range.from >= start && range.from < start + lines);
  const step = useMutation({
    mutationFn: async (hash: string) => {
      const params = { id: projectId, sha: hash };
      return stepBefore(range, await api('GET /projects/:id/commits/:sha', { params, query: {} }));
    },
    onSuccess: (before) => before && onSteps([...steps, before]),
  });
  // The other panel shows the suspect, or the commit behind the check.
  const otherCommit = accusedCommit(session.answer)?.hash ?? session.answer.guard?.commit?.hash;
  const isInOtherPanel = steps.length === 0 && run?.hash === otherCommit;
  const isFirst = step.data === null && step.variables === run?.hash;
  return (
    <>
      {run && !isInOtherPanel && (
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-muted">
          {t('step_back.changed')}
          <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: run.hash }} />
          <span className="max-w-64 truncate">
            <Verbatim text={run.summary} />
          </span>
          <TimeAgo timestamp={run.timestamp} now={now} />
        </span>
      )}
      {run && !isFirst && (
        <Button
          kind="ghost"
          size="small"
          className="-ml-2 text-sm text-action"
          loading={step.isPending}
          title={step.error?.message}
          onClick={() => step.mutate(run.hash)}
        >
          {t(step.error ? 'step_back.failed' : 'step_back.before', { commit: run.hash.slice(0, 7) })}
        </Button>
      )}
      {isFirst && <span className="text-muted">{t('step_back.first')}</span>}
      {steps.length > 0 && (
        <Button kind="ghost" size="small" className="text-sm text-action" onClick={() => onSteps([])}>
          {t('step_back.now', { commit: commit.slice(0, 7) })}
        </Button>
      )}
    </>
  );
}

/** The line in the parent of the commit that changed it; null for the commit that added the file. */
function stepBefore(
  { path, from }: FrameRange,
  commit: ApiReply<'GET /projects/:id/commits/:sha'>,
): BlameStep | null {
  const [parent] = commit.parents;
  const file = commit.files.find(({ new_path }) => new_path === path);
  if (!parent || !file?.old_path) return null;
  const line = lineBefore(file.hunks, from);
  return { commit: parent, range: { path: file.old_path, from: line, to: line } };
}
