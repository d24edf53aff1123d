import type { Activity, Project } from '#contract/projects.ts';

/** The layers of a memory in the order in which they settle. */
export const PHASES = ['cloning', 'commits', 'passages', 'publishing'] as const;
export type Phase = (typeof PHASES)[number];

/** How far one layer is: `share` is 0 to 1, or null while its end is not known. */
export type PhaseProgress =
  | { phase: Phase; state: 'done' }
  | { phase: Phase; state: 'waiting' }
  | { phase: Phase; state: 'current'; share: number | null };

/** Phases in which a project serves as it is: the changes of its history are read, or its passages get vectors. */
const BACKGROUND_PHASES: readonly Activity['phase'][] = ['hunks', 'vectors'];

/** Whether something is done to the project for which one may wait. */
export function hasForegroundActivity({ activity }: Pick<Project, 'activity'>): boolean {
  return activity !== null && !BACKGROUND_PHASES.includes(activity.phase);
}

/** Whether the project is being remembered or brought up to date. */
export function isBusy(project: Project): boolean {
  return hasForegroundActivity(project) || !['ready', 'failed'].includes(project.status);
}

/** The layers of a project's memory as they are now: all settled when it is ready, none that is known when it failed. */
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
