import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { GROUP_EVENTS_JOB, type GroupEventsJob } from '../project-data/error-intake.ts';

const EVERY_MS = 10 * 60_000;
/** Newest events that a project keeps. */
const MAX_EVENTS = 100_000;
/** Rows of one statement, so that none locks for long. */
const CHUNK = 2_000;
const COUNTS_DAYS = 90;
/** Events wait this long for a group while all is well. */
const GROUPING_DELAY_S = 60;

/**
 * Returns the job that deletes events after the retention of their project and beyond the most that it keeps, and that
 * enqueues the grouping of events whose request was lost.
 */
export function intakeCleanupJob(deps: Deps): ServerJob {
  const { db, jobs, now } = deps;
  return {
    name: 'intake-cleanup',
    concurrency: 1,
    retryLimit: 2,
    everyMs: EVERY_MS,
    singletonKey: () => 'all',
    async run(_data, { signal }) {
      const intakes = await db
        .selectFrom('project_intakes')
        .select(['project_id', 'retention_days'])
        .execute();
      for (const { project_id: id, retention_days: days } of intakes) {
        signal.throwIfAborted();
        const expired = new Date(now().getTime() - days * 86_400_000);
        const beyond = await oldestKept(db, id);
        const before = beyond && beyond > expired ? beyond : expired;
        while ((await deleteEvents(db, id, before)) === CHUNK) signal.throwIfAborted();
      }
      await sql`delete from intake_counts where day < (now() at time zone 'utc')::date - ${COUNTS_DAYS}::int`.execute(
        db,
      );
      for (const project_id of await projectsWithoutGroups(db)) {
        await jobs.send<GroupEventsJob>(GROUP_EVENTS_JOB, { project_id });
      }
    },
  };
}

/** Time of the oldest event that a project keeps; null while it has fewer. */
async function oldestKept(db: Kysely<Database>, projectId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('error_events')
    .select('received_at')
    .where('project_id', '=', projectId)
    .orderBy('received_at', 'desc')
    .offset(MAX_EVENTS)
    .limit(1)
    .executeTakeFirst();
  return row?.received_at ?? null;
}

async function deleteEvents(db: Kysely<Database>, projectId: string, before: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from error_events where project_id = ${projectId} and id = any(array(
      select id from error_events
      where project_id = ${projectId} and received_at <= ${before} order by received_at limit ${CHUNK}
    ))`.execute(db);
  return Number(numAffectedRows);
}

async function projectsWithoutGroups(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select i.project_id from project_intakes i
    where exists (
      select from error_events e where e.project_id = i.project_id and e.fingerprint is null
        and e.received_at < now() - make_interval(secs => ${GROUPING_DELAY_S})
    )`.execute(db);
  return rows.map((row) => row.project_id);
}
