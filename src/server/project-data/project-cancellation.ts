import type { Events } from '../events.ts';

/** Work under way by project, so that it ends when the project is deleted. */
export interface ProjectCancellation {
  /** A signal for work on a project: aborts when the project is deleted, or with `signal`. */
  signalFor(projectId: string, signal?: AbortSignal): AbortSignal;
  /** Ends all work on a project in this process; what registers later is ended at once. */
  cancel(projectId: string): void;
}

/** Creates the registry of one process. Replicas hear of a deletion by `project-removed`. */
export function createProjectCancellation(events: Pick<Events, 'subscribe'>): ProjectCancellation {
  // One small controller a project stays: the ids of deleted projects are never used again.
  const controllers = new Map<string, AbortController>();
  const controllerOf = (projectId: string) => {
    const controller = controllers.get(projectId) ?? new AbortController();
    controllers.set(projectId, controller);
    return controller;
  };
  const abort = (projectId: string) => controllerOf(projectId).abort();
  events.subscribe('project-removed', ({ projectId }) => abort(projectId));
  return {
    signalFor(projectId, signal) {
      const removed = controllerOf(projectId).signal;
      return signal ? AbortSignal.any([removed, signal]) : removed;
    },
    cancel: abort,
  };
}
