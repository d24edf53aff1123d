import { statfs } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Gauge } from 'prom-client';
import { projectStatus } from '#contract/projects.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Metrics } from './metrics.ts';

/** Scrapes within this time share one reading. */
const MIN_INTERVAL_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

type GaugeDeps = Pick<Deps, 'db' | 'config' | 'disk' | 'indexCache' | 'queues' | 'metrics'>;

/**
 * Returns a function that reads the state of the server into its gauges. It never rejects: what cannot be read is left
 * out, and `onFailure` gets the reason.
 */
export function createGaugeReader(deps: GaugeDeps, onFailure: (error: unknown) => void): () => Promise<void> {
  let reading: Promise<void> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < MIN_INTERVAL_MS) return await reading!;
    readAt = performance.now();
    reading = readGauges(deps, onFailure);
    return await reading;
  };
}

async function readGauges(deps: GaugeDeps, onFailure: (error: unknown) => void): Promise<void> {
  const { metrics, indexCache, queues, disk, config } = deps;
  metrics.indexCache.set(indexCache.cachedBytes);
  metrics.diskFull.set(Number(disk.isFull));
  for (const [queue, { waiting, running }] of Object.entries(queues)) {
    metrics.queueTasks.set({ queue, state: 'waiting' }, waiting);
    metrics.queueTasks.set({ queue, state: 'running' }, running);
  }
  await statfs(config.dataDir).then(
    ({ bavail, bsize }) => metrics.diskFree.set(bavail * bsize),
    () => metrics.diskFree.remove(),
  );
  await readDatabase(deps).then(
    () => metrics.databaseUp.set(1),
    (error: unknown) => {
      onFailure(error);
      metrics.databaseUp.set(0);
      const { labelled, single } = databaseGauges(metrics);
      for (const gauge of labelled) gauge.reset();
      for (const gauge of single) gauge.remove();
    },
  );
}

/** Gauges that are unknown while the database does not answer. */
function databaseGauges(metrics: Metrics): Record<'labelled' | 'single', Gauge<string>[]> {
  const { jobs, oldestJob, projects, intakeEvents, outgoingFailures } = metrics;
  const { projectsBehind, indexLag, databaseBytes, modelTokens, modelAnswers } = metrics;
  return {
    labelled: [jobs, oldestJob, projects, intakeEvents, outgoingFailures],
    single: [projectsBehind, indexLag, databaseBytes, modelTokens, modelAnswers],
  };
}

async function readDatabase({ db, metrics }: GaugeDeps): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = ${sql.lit(QUERY_TIMEOUT_MS)}`.execute(trx);
    await readProjects(trx, metrics);
    await readJobs(trx, metrics);
    await readUsage(trx, metrics);
  });
}

async function readProjects(db: Kysely<Database>, metrics: Metrics): Promise<void> {
  const { rows } = await sql<{ status: string; count: string; behind: string; lag: number | null }>`
    select status, count(*) as count, count(*) filter (where behind > 0) as behind, max(behind) as lag
    from projects group by status`.execute(db);
  for (const status of projectStatus.options) {
    metrics.projects.set({ status }, Number(rows.find((row) => row.status === status)?.count ?? 0));
  }
  metrics.projectsBehind.set(rows.reduce((sum, { behind }) => sum + Number(behind), 0));
  metrics.indexLag.set(Math.max(0, ...rows.map(({ lag }) => lag ?? 0)));
}

async function readJobs(db: Kysely<Database>, metrics: Metrics): Promise<void> {
  const { rows: found } = await sql<{
    there: boolean;
  }>`select to_regclass('pgboss.job') is not null as there`.execute(db);
  if (!found[0]?.there) return;
  const { rows } = await sql<{ queue: string; waiting: string; running: string; dead: string; age: number }>`
    select q.name as queue,
      count(*) filter (where j.name = q.name and j.state in ('created', 'retry')) as waiting,
      count(*) filter (where j.name = q.name and j.state = 'active') as running,
      count(*) filter (where j.name = q.dead_letter and j.state = 'created') as dead,
      coalesce(extract(epoch from now() - min(j.start_after) filter (
        where j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()
      )), 0)::float8 as age
    from pgboss.queue q left join pgboss.job j on j.name in (q.name, q.dead_letter)
    where q.dead_letter is not null
    group by q.name`.execute(db);
  for (const { queue, waiting, running, dead, age } of rows) {
    metrics.jobs.set({ queue, state: 'waiting' }, Number(waiting));
    metrics.jobs.set({ queue, state: 'running' }, Number(running));
    metrics.jobs.set({ queue, state: 'dead' }, Number(dead));
    metrics.oldestJob.set({ queue }, age);
  }
}

async function readUsage(db: Kysely<Database>, metrics: Metrics): Promise<void> {
  const today = sql`(now() at time zone 'utc')::date`;
  const { rows: models } = await sql<{ tokens: string; answers: string; bytes: string }>`
    select coalesce(sum(tokens), 0) as tokens, coalesce(sum(answers), 0) as answers,
      pg_database_size(current_database()) as bytes
    from model_usage where day = ${today}`.execute(db);
  metrics.modelTokens.set(Number(models[0]!.tokens));
  metrics.modelAnswers.set(Number(models[0]!.answers));
  metrics.databaseBytes.set(Number(models[0]!.bytes));
  const { rows: events } = await sql<{ outcome: string; count: string }>`
    select outcome, sum(count) as count from intake_counts where day = ${today} group by outcome`.execute(db);
  metrics.intakeEvents.reset();
  for (const { outcome, count } of events) metrics.intakeEvents.set({ outcome }, Number(count));
  const { rows: failures } = await sql<{ purpose: string; count: string }>`
    select purpose, count(*) as count from egress_log
    where at > now() - interval '1 hour' and (status is null or status >= 400) group by purpose`.execute(db);
  metrics.outgoingFailures.reset();
  for (const { purpose, count } of failures) metrics.outgoingFailures.set({ purpose }, Number(count));
}
