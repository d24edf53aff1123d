import { type Kysely, sql } from 'kysely';
import { type ActiveJob, type AdminQueue, type DeadJob, MAX_LISTED_JOBS } from '#contract/admin.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Jobs that exhausted their retries are in the queue `<name>.dead`. */
const DEAD_LETTER_SUFFIX = '.dead';
const MAX_ERROR_LENGTH = 500;

interface JobKey {
  queue: string;
  id: string;
}

/** The queue creates its tables when it first starts. */
async function hasQueueTables(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('pgboss.job') is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}

/** Lists the queues with their numbers of waiting, running and dead jobs. */
export async function listQueues(db: Kysely<Database>): Promise<AdminQueue[]> {
  if (!(await hasQueueTables(db))) return [];
  const { rows } = await sql<{ name: string; waiting: string; running: string; dead: string }>`
    select q.name,
      count(*) filter (where j.name = q.name and j.state in ('created', 'retry')) as waiting,
      count(*) filter (where j.name = q.name and j.state = 'active') as running,
      count(*) filter (where j.name = q.dead_letter and j.state = 'created') as dead
    from pgboss.queue q left join pgboss.job j on j.name in (q.name, q.dead_letter)
    where q.dead_letter is not null
    group by q.name order by q.name`.execute(db);
  return rows.map(({ name, ...counts }) => ({
    name,
    waiting: Number(counts.waiting),
    running: Number(counts.running),
    dead: Number(counts.dead),
  }));
}

/** Lists the most recently started active jobs. */
export async function listActiveJobs(db: Kysely<Database>): Promise<ActiveJob[]> {
  if (!(await hasQueueTables(db))) return [];
  const { rows } = await sql<{ id: string; name: string; data: unknown; at: Date }>`
    select id::text, name, data, started_on as at
    from pgboss.job
    where state = 'active'
    order by started_on desc limit ${MAX_LISTED_JOBS}`.execute(db);
  return rows.map(({ id, name, data, at }) => ({
    id,
    queue: name,
    subject: pickIdentifiers(data),
    started_at: at.toISOString(),
  }));
}

/** Lists the newest dead-letter jobs with their errors. */
export async function listDeadJobs(db: Kysely<Database>): Promise<DeadJob[]> {
  if (!(await hasQueueTables(db))) return [];
  const { rows } = await sql<{ id: string; name: string; data: unknown; error: string | null; at: Date }>`
    select id::text, name, data, source_output->>'message' as error, created_on as at
    from pgboss.job
    where name like ${`%${DEAD_LETTER_SUFFIX}`} and state = 'created'
    order by created_on desc limit ${MAX_LISTED_JOBS}`.execute(db);
  return rows.map(({ id, name, data, error, at }) => ({
    id,
    queue: name.slice(0, -DEAD_LETTER_SUFFIX.length),
    subject: pickIdentifiers(data),
    error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    failed_at: at.toISOString(),
  }));
}

/** Requeues a dead job with all its attempts; false when it does not exist. */
export async function retryDeadJob(deps: Pick<Deps, 'db' | 'jobs'>, key: JobKey): Promise<boolean> {
  const data = await deleteDeadJob(deps.db, key);
  if (data === null) return false;
  await deps.jobs.send(key.queue, data);
  return true;
}

/** Deletes a dead job and returns its data, or null when it does not exist. */
export async function deleteDeadJob(db: Kysely<Database>, { queue, id }: JobKey): Promise<object | null> {
  if (!(await hasQueueTables(db))) return null;
  const { rows } = await sql<{ data: object | null }>`
    delete from pgboss.job
    where name = ${queue + DEAD_LETTER_SUFFIX} and id::text = ${id} and state = 'created'
    returning data`.execute(db);
  return rows[0] ? (rows[0].data ?? {}) : null;
}

/** Keeps ids and kinds only: job data may contain an email or a sealed link. */
function pickIdentifiers(data: unknown): Record<string, string> {
  const parts = Object.entries((data ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => typeof value === 'string' && /^kind$|_id$|Id$/.test(name),
  );
  return Object.fromEntries(parts) as Record<string, string>;
}
