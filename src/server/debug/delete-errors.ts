import { type Kysely, sql } from 'kysely';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';
import { lockErrors } from './error-state.ts';

const DELETE_EVENTS_JOB = 'delete-error-events';
/** Events of one statement, so that none locks for long. */
const CHUNK = 2_000;

interface DeleteEventsJob {
  project_id: string;
  keys: string[];
  /** Later events belong to new errors. */
  received_before: string;
}

/**
 * Deletes errors in the caller's projects, all or none, with what was merged into them, their events, counts and answers. Throws
 * as `changeErrors` does. Returns the number of errors of each project.
 */
export async function deleteErrors(deps: Deps, caller: Caller, ids: string[]): Promise<Map<string, number>> {
  const { db, jobs, now } = deps;
  const { groups, keys } = await db.transaction().execute(async (trx) => {
    const locked = await lockErrors(trx, caller, [...new Set(ids)]);
    const { rows } = await sql<{ project_id: string; key: string }>`
      with recursive merged as (
        select id, project_id, fingerprint from debug_groups where id = any(${locked.map(({ id }) => id)}::text[])
        union
        select g.id, g.project_id, g.fingerprint from merged m join debug_groups g on g.merged_into = m.id
      ), deleted as (
        delete from debug_groups where id in (select id from merged)
      )
      select k.project_id, k.key from debug_group_keys k join merged m using (project_id, fingerprint)`.execute(
      trx,
    );
    return { groups: locked, keys: Map.groupBy(rows, (row) => row.project_id) };
  });
  for (const [projectId, rows] of keys) {
    const job = {
      project_id: projectId,
      keys: rows.map(({ key }) => key),
      received_before: now().toISOString(),
    };
    if ((await deleteEvents(db, job)) === CHUNK) await jobs.send<DeleteEventsJob>(DELETE_EVENTS_JOB, job);
  }
  const byProject = Map.groupBy(groups, (group) => group.project_id);
  return new Map([...byProject].map(([projectId, list]) => [projectId, list.length]));
}

/** Returns the job that deletes the events of deleted errors that have very many. */
export function deleteErrorEventsJob({ db }: Pick<Deps, 'db'>): JobDefinition<DeleteEventsJob> {
  return {
    name: DELETE_EVENTS_JOB,
    concurrency: 1,
    retryLimit: 5,
    singletonKey: () => null,
    async run(job, { signal }) {
      while ((await deleteEvents(db, job)) === CHUNK) signal.throwIfAborted();
    },
  };
}

async function deleteEvents(
  db: Kysely<Database>,
  { project_id: projectId, keys, received_before: before }: DeleteEventsJob,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from error_events where project_id = ${projectId} and id = any(array(
      select id from error_events
      where project_id = ${projectId} and fingerprint = any(${keys}::text[]) and received_at <= ${before}::timestamptz
      limit ${CHUNK}
    ))`.execute(db);
  return Number(numAffectedRows);
}
