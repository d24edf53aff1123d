import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { isBusy } from '../parts/phases.ts';
import { type State, StateMark } from '../ui/state-mark.tsx';
import { useActivityLabel } from './ingest-progress.tsx';

/** State of a project: its activity, its failure, or its lag behind the fetched branch. */
export function ProjectState({ project, counts = true }: { project: Project; counts?: boolean }) {
  const { t, i18n } = useTranslation('projects');
  const label = useActivityLabel();
  const state = stateOf(project);
  if (state !== 'behind') return <StateMark state={state}>{label(project, { counts })}</StateMark>;
  const count = project.behind ?? 0;
  return (
    <StateMark state="behind">
      {t('card.behind', { count, value: new Intl.NumberFormat(i18n.language).format(count) })}
    </StateMark>
  );
}

/** State by which projects are marked and filtered. */
export function stateOf(
  project: Project,
): Extract<State, 'queued' | 'running' | 'failed' | 'behind' | 'ready'> {
  if (isBusy(project)) {
    const isQueued = project.status === 'queued' || project.activity?.phase === 'queued';
    return isQueued ? 'queued' : 'running';
  }
  if (project.status === 'failed' || project.failure) return 'failed';
  return project.behind ? 'behind' : 'ready';
}
