import { useId, useState } from 'react';
import type { Project } from '#contract/projects.ts';
import type { ProjectTest } from '#contract/test-runs.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { type State, StateMark } from '../ui/state-mark.tsx';

/** Marks of the states: their words are this page's own. */
const MARKS: Record<ProjectTest['state'], State> = {
  broken: 'failed',
  new: 'failed',
  flaky: 'conflict',
  unknown: 'vague',
  passing: 'ready',
};

/** A test with its state, the commits that explain it, and its newest failure. */
export function TestRow({ project, test }: { project: Project; test: ProjectTest }) {
  const { t } = useTranslation('test-runs');
  const now = useNow();
  const textId = useId();
  const [isOpen, setOpen] = useState(false);
  const { state, scope, name, suite, branch, last_failure: failure } = test;
  const where = [suite, scope, branch].filter(Boolean).join(' · ');
  const request = {
    error_message: [scope, name, failure?.text].filter(Boolean).join('\n'),
    project_id: project.id,
  };
  return (
    <li className="border-b border-border py-2">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
        <StateMark state={MARKS[state]} className="w-24 shrink-0">
          {t(`state.${state}`)}
        </StateMark>
        <div className="min-w-0 flex-1 basis-72">
          <p className="font-mono text-code font-medium wrap-anywhere">
            <Verbatim text={name || scope} />
          </p>
          {where !== '' && (
            <p className="text-sm text-muted wrap-anywhere">
              <Verbatim text={where} />
            </p>
          )}
          <Evidence projectId={project.id} test={test} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {failure && <TimeAgo timestamp={failure.at} now={now} />}
          {failure && failure.text !== '' && (
            <Button
              size="small"
              aria-expanded={isOpen}
              aria-controls={textId}
              onClick={() => setOpen((open) => !open)}
            >
              {t('last_failure')}
            </Button>
          )}
          {failure && (
            <ButtonLink size="small" to="/debug" state={{ request, start: true }}>
              {t('why')}
            </ButtonLink>
          )}
        </div>
      </div>
      {failure && isOpen && (
        <div className="mt-2">
          <pre
            id={textId}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard.
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-md border border-border bg-surface px-3 py-2"
          >
            <Verbatim text={failure.text} max={8_000} />
          </pre>
        </div>
      )}
    </li>
  );
}

/** Commits that explain the state: the range of a break, or commits with both outcomes. */
function Evidence({ projectId, test }: { projectId: string; test: ProjectTest }) {
  const { t } = useTranslation('test-runs');
  const { state, good, bad, candidates, mixed, failures, runs } = test;
  const chip = (hash: string) => <CitationChip projectId={projectId} citation={{ kind: 'commit', hash }} />;
  if (state === 'flaky') {
    return (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span>{t('failed_of', { count: failures, runs: t('of_runs', { count: runs }) })}</span>
        {mixed[0] && <span className="text-muted">{t('both_outcomes')}</span>}
        {mixed.slice(0, 3).map((hash) => (
          <span key={hash}>{chip(hash)}</span>
        ))}
      </p>
    );
  }
  if (!bad) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span>{t(state === 'unknown' ? 'at_least_since' : 'since')}</span>
      {chip(bad)}
      {good && <span className="text-muted">{t(state === 'new' ? 'added_after' : 'last_good')}</span>}
      {good && chip(good)}
      {candidates > 1 && <span className="text-muted">{t('candidates', { count: candidates })}</span>}
    </p>
  );
}
