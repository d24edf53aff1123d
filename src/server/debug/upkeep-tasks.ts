import { sql } from 'kysely';
import { OCCURRENCE_HOURS } from '#contract/error-groups.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { reopenSnoozed } from './error-state.ts';
import { requestGroupInvestigation } from './investigate-group-tasks.ts';

const EVERY_MS = 60_000;
const MAX_REOPENED = 500;
const MAX_PROJECTS = 100;

/**
 * Returns the job that ends snoozing by time, deletes counts that no chart shows, and asks again for answers whose request was
 * lost.
 */
export function errorUpkeepJob(deps: Deps): JobDefinition {
  const { db, events } = deps;
  return {
    name: 'error-upkeep',
    concurrency: 1,
    retryLimit: 1,
    everyMs: EVERY_MS,
    singletonKey: () => 'all',
    async run() {
      for (const { id, project_id } of await reopenSnoozed(db, MAX_REOPENED)) {
        events.emit({ type: 'error-changed', projectId: project_id, errorId: id, change: 'woken' });
      }
      await sql`delete from debug_group_hours where hour < now() - make_interval(hours => ${OCCURRENCE_HOURS + 1})`.execute(
        db,
      );
      const { rows } = await sql<{ project_id: string }>`
        select distinct project_id from debug_groups where investigation in ('waiting', 'running') and merged_into is null
        limit ${MAX_PROJECTS}`.execute(db);
      for (const { project_id } of rows) await requestGroupInvestigation(deps, project_id);
    },
  };
}
