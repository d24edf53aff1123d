import type { Activity, Project } from '#contract/projects.ts';

/** Indexing phases in order. */
const PHASES = ['cloning', 'commits', 'passages', 'publishing'] as const;
type Phase = (typeof PHASES)[number];

/** Progress of a phase: `share` is 0 to 1, or null while the total is unknown. */
export type PhaseProgress =
  | { phase: Phase; state: 'done' }
  | { phase: Phase; state: 'waiting' }
  | { phase: Phase; state: 'current'; share: number | null };

/** Background phases, during which the project is usable: reading diffs and computing vectors. */
const BACKGROUND_PHASES: readonly Activity['phase'][] = ['hunks', 'vectors'];

/** True during an activity that blocks the user. */
export function hasForegroundActivity({ activity }: Pick<Project, 'activity'>): boolean {
  return activity !== null && !BACKGROUND_PHASES.includes(activity.phase);
}

/** True while the project is being indexed or refreshed. */
export function isBusy(project: Project): boolean {
  return hasForegroundActivity(project) || !['ready', 'failed'].includes(project.status);
}

/** Progress of every phase. */
export function phaseProgress(project: Project): PhaseProgress[] {
  if (!isBusy(project)) {
    const state = project.indexed_commit === null ? 'waiting' : 'done';
    return PHASES.map((phase): PhaseProgress => ({ phase, state }));
  }
  const current = PHASES.indexOf(currentPhase(project));
  const isQueued = project.status === 'queued' || project.activity?.phase === 'queued';
  return PHASES.map((phase, index) => {
    if (index < current) return { phase, state: 'done' };
    if (index > current || isQueued) return { phase, state: 'waiting' };
    return { phase, state: 'current', share: progressShare(project.activity) };
  });
}

const PHASE_OF_STATUS: Partial<Record<Project['status'], Phase>> = {
  reading: 'commits',
  indexing: 'passages',
};

function currentPhase({ activity, status }: Project): Phase {
  const phase = activity?.phase;
  if (phase === 'commits' || phase === 'passages' || phase === 'publishing') return phase;
  return activity ? 'cloning' : (PHASE_OF_STATUS[status] ?? 'cloning');
}

function progressShare(activity: Activity | null): number | null {
  if (!activity?.total) return null;
  return Math.min(1, activity.done / activity.total);
}
