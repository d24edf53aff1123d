import { type Kysely, sql } from 'kysely';
import { type ActiveJob, type AdminQueue, type DeadJob, MAX_LISTED_JOBS } from '#contract/admin.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Jobs that failed as often as they may lie in `<name>.dead`, where nobody takes them. */
const DEAD = '.dead';
const LONGEST_ERROR = 500;

interface Place {
  queue: string;
  id: string;
}

/** The tables of the queue are made when it first starts. */
async function isThere(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('pgboss.job') is not null as there`.execute(db);
  return rows[0]?.there ?? false;
}

/** Every kind of work in the background and how much of it waits, runs and lies dead. */
export async function listQueues(db: Kysely<Database>): Promise<AdminQueue[]> {
  if (!(await isThere(db))) return [];
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

/** The jobs under way that began last, with what they are about. */
export async function listActiveJobs(db: Kysely<Database>): Promise<ActiveJob[]> {
  if (!(await isThere(db))) return [];
  const { rows } = await sql<{ id: string; name: string; data: unknown; at: Date }>`
    select id::text, name, data, started_on as at
    from pgboss.job
    where state = 'active'
    order by started_on desc limit ${MAX_LISTED_JOBS}`.execute(db);
  return rows.map(({ id, name, data, at }) => ({
    id,
    queue: name,
    subject: shownParts(data),
    started_at: at.toISOString(),
  }));
}

/** The newest jobs that failed for good, with what they were about and why they failed. */
export async function listDeadJobs(db: Kysely<Database>): Promise<DeadJob[]> {
  if (!(await isThere(db))) return [];
  const { rows } = await sql<{ id: string; name: string; data: unknown; error: string | null; at: Date }>`
    select id::text, name, data, source_output->>'message' as error, created_on as at
    from pgboss.job
    where name like ${`%${DEAD}`} and state = 'created'
    order by created_on desc limit ${MAX_LISTED_JOBS}`.execute(db);
  return rows.map(({ id, name, data, error, at }) => ({
    id,
    queue: name.slice(0, -DEAD.length),
    subject: shownParts(data),
    error: error?.slice(0, LONGEST_ERROR) ?? null,
    failed_at: at.toISOString(),
  }));
}

/** Puts a dead job into its queue again, with all its attempts; false when there is none with this id. */
export async function retryDeadJob(deps: Pick<Deps, 'db' | 'jobs'>, place: Place): Promise<boolean> {
  const data = await deleteDeadJob(deps.db, place);
  if (data === null) return false;
  await deps.jobs.send(place.queue, data);
  return true;
}

/** Takes a dead job out for good; returns what it was to do, or null when there is none with this id. */
export async function deleteDeadJob(db: Kysely<Database>, { queue, id }: Place): Promise<object | null> {
  if (!(await isThere(db))) return null;
  const { rows } = await sql<{ data: object | null }>`
    delete from pgboss.job
    where name = ${queue + DEAD} and id::text = ${id} and state = 'created'
    returning data`.execute(db);
  return rows[0] ? (rows[0].data ?? {}) : null;
}

/** Ids and kinds alone: a job may hold an address, and a sealed link. */
function shownParts(data: unknown): Record<string, string> {
  const parts = Object.entries((data ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => typeof value === 'string' && /^kind$|_id$|Id$/.test(name),
  );
  return Object.fromEntries(parts) as Record<string, string>;
}
