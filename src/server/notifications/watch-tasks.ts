import { AppError } from '#contract/errors.ts';
import { type LogCommit, log } from '#git/log.ts';
import { hasCommit } from '#git/refs.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { createCommitReader, matchesCommit } from './match-watch.ts';
import { loadProjectWatches, recordMatches } from './watch-queries.ts';

/** Newest commits of one run that are compared with watches. */
const MAX_COMMITS = 200;
/** Commits of one notification that its event names. */
const MAX_NAMED = 5;

interface WatchJob {
  project_id: string;
  /** Commit that was indexed before. */
  previous: string;
  commit: string;
}

/** Returns the job that compares new commits with the watches of their project. One run sends one notification per watch. */
export function watchJob(deps: Deps): ServerJob<WatchJob> {
  return {
    name: 'watches',
    concurrency: 1,
    retryLimit: 2,
    ...projectJobOptions(deps),
    // Each pair of commits is a run of its own, so that none is lost to a newer one.
    singletonKey: ({ project_id, commit }) => `${project_id} ${commit}`,
    // No one is notified of the history that a project begins with.
    afterIndexing: ({ projectId, previous, commit }) =>
      previous === null || previous === commit ? null : { project_id: projectId, previous, commit },
    run: async (job, { signal: stop }) => {
      const signal = deps.projectCancellation.signalFor(job.project_id, stop);
      try {
        await compareWithWatches(deps, job, signal);
      } catch (error) {
        // The repository was deleted or replaced meanwhile.
        if (signal.aborted || !(error instanceof AppError)) throw error;
      }
    },
  };
}

async function compareWithWatches(
  deps: Deps,
  { project_id, previous, commit: head }: WatchJob,
  signal: AbortSignal,
): Promise<void> {
  const watches = (await loadProjectWatches(deps.db, project_id)).filter(({ kind }) => kind !== 'error');
  if (watches.length === 0) return;
  const repo = await deps.projectFiles.repositories.open(project_id);
  if (!(await hasCommit(repo, previous))) return;
  const matches = new Map<string, LogCommit[]>();
  let read = 0;
  for await (const commit of log(repo, { from: head, not: [previous], signal })) {
    const reader = createCommitReader(repo, commit, signal);
    for (const watch of watches) {
      await yieldIfDue(signal);
      if (watch.email !== null && watch.email === commit.email.toLowerCase()) continue;
      if (!(await matchesCommit(watch, reader))) continue;
      matches.set(watch.id, [...(matches.get(watch.id) ?? []), commit]);
    }
    if (++read >= MAX_COMMITS) break;
  }
  await recordMatches(deps.db, project_id, [...matches.keys()]);
  for (const [watchId, commits] of matches) {
    deps.events.emit({
      type: 'watch-matched',
      ...{ projectId: project_id, watchId, head, count: commits.length },
      commits: commits.slice(0, MAX_NAMED).map(({ oid }) => oid),
    });
  }
}
