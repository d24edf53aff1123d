import type { Events } from '../events.ts';

/** Cancels running work on a project when the project is deleted. */
export interface ProjectCancellation {
  /** Returns a signal that aborts when the project is deleted, or with `signal`. */
  signalFor(projectId: string, signal?: AbortSignal): AbortSignal;
  /** Cancels work on a project in this process, including work that starts later. */
  cancel(projectId: string): void;
}

/** Creates the registry of one process; the event `project-removed` cancels work in replicas. */
export function createProjectCancellation(events: Pick<Events, 'subscribe'>): ProjectCancellation {
  // Controllers are never removed, since the ids of deleted projects are not reused.
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
