import { type JobWithMetadata, PgBoss, type QueueResult } from 'pg-boss';
import type { Logger } from 'pino';
import { newId } from './ids.ts';

/** Context of one run of a job. */
export interface JobContext {
  /** Aborted when the server stops, the job is cancelled, or another process has claimed it. */
  signal: AbortSignal;
  /** 1 for the first run. */
  attempt: number;
  /** True while this run owns the job. To be checked before publishing a result: a run that missed heartbeats may not. */
  isClaimed(): Promise<boolean>;
  /** True when an administrator has stopped the job for good. */
  isCancelled(): Promise<boolean>;
}

interface JobOptions<T> {
  /** Concurrent jobs of this name in this process. */
  concurrency: number;
  /** Runs after the first failed or its process was killed; then the job becomes a dead letter. */
  retryLimit: number;
  /** Of jobs with equal keys, one runs and one is queued; null for a job that is independent of others. */
  singletonKey(data: T): string | null;
  /** Group that takes turns with others, of which one job runs at a time in this process; the key when absent. */
  group?(data: T): Promise<string | null>;
}

/** A job as a value: its name, options and handler. */
export interface JobDefinition<T extends object = object> extends JobOptions<T> {
  name: string;
  /** Interval at which the job is enqueued with an empty payload, once at start; the queue deduplicates replicas. */
  everyMs?: number;
  /** Idempotent, since every job runs at least once. */
  run(data: T, context: JobContext): Promise<void>;
}

interface SendOptions {
  delayS?: number;
  expedite?: boolean;
}

/** Background work that outlives requests and processes. */
export interface Jobs {
  /** Registers a job; to be called before `start`, also in processes that only send it. */
  define<T extends object>(job: JobDefinition<T>): void;
  /** Creates the queues and starts running jobs unless `work` is false, and scheduling them unless `schedule` is false. */
  start(options?: { work?: boolean; schedule?: boolean }): Promise<void>;
  /** Returns false when a job with the same key is queued already; `expedite` lets that one start as early as this one would. */
  send<T extends object>(name: string, data: T, options?: SendOptions): Promise<boolean>;
  /** Stops a running job for good, in another process within seconds; returns false when it does not run. */
  cancel(name: string, id: string): Promise<boolean>;
  /** Aborts running jobs, returns them to the queue, and closes the connections. */
  stop(): Promise<void>;
}

/** Exceeds any job: heartbeats detect dead processes, and handlers have timeouts of their own. */
const JOB_EXPIRATION_S = 23 * 3600;
/** With these three the job of a killed process restarts within about 15 s; with the defaults it takes minutes. */
const HEARTBEAT_INTERVAL_S = 10;
const SUPERVISE_INTERVAL_S = 5;
const MONITOR_INTERVAL_S = 5;
/** A fallback for lost notifications; the default is 30 s. */
const POLL_INTERVAL_S = 2;
/** Time for aborted handlers to return. */
const STOP_TIMEOUT_MS = 6_000;

/** Jobs in PostgreSQL by pg-boss, in its own schema, over connections of its own. */
export function createJobs({ databaseUrl, log }: { databaseUrl: string; log: Logger }): Jobs {
  const stopping = new AbortController();
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'hindsight-jobs',
    max: 4,
    superviseIntervalSeconds: SUPERVISE_INTERVAL_S,
    monitorIntervalSeconds: MONITOR_INTERVAL_S,
    useListenNotify: true,
  });
  boss.on('error', (error) => {
    // Expected while the connections close.
    if (!stopping.signal.aborted) log.error(`job queue: ${error.message}`);
  });
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`));
  const definitions = new Map<string, JobDefinition>();
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, AbortController>();

  const send = async (name: string, data: object, { delayS = 0, expedite = false }: SendOptions = {}) => {
    const definition = definitions.get(name);
    if (!definition) throw new Error(`There is no job named ${name}.`);
    const singletonKey = definition.singletonKey(data) ?? newId();
    const id = (await definition.group?.(data)) ?? singletonKey;
    const priority = definition.group ? -(await countUnfinished(boss, name, id)) : 0;
    const options = { singletonKey, group: { id }, priority, startAfter: delayS };
    const isNew = (await boss.send(name, data, options)) !== null;
    if (!isNew && expedite) await bringForward(boss, { name, singletonKey, delayS });
    return isNew;
  };

  async function run(definition: JobDefinition, job: JobWithMetadata<object>): Promise<void> {
    const { name } = definition;
    const cancelled = new AbortController();
    running.set(job.id, cancelled);
    const context = {
      signal: AbortSignal.any([job.signal, stopping.signal, cancelled.signal]),
      attempt: job.retryCount + 1,
      isClaimed: () => isJobClaimed(boss, name, job),
      isCancelled: async () => (await findJob(boss, name, job.id))?.state === 'cancelled',
    };
    try {
      stopping.signal.throwIfAborted();
      await definition.run(job.data, context);
    } catch (error) {
      // On shutdown the job is queued again with all its attempts.
      if (stopping.signal.aborted) return void (await send(name, job.data));
      if (cancelled.signal.aborted) return;
      log.error({ err: error, job: name, id: job.id, attempt: context.attempt }, 'a job failed');
      throw error;
    } finally {
      running.delete(job.id);
    }
  }

  /** Starts one worker, which looks for its next job as soon as one has ended; otherwise it would wait for the next poll. */
  async function startWorker(definition: JobDefinition): Promise<void> {
    let id: string | undefined;
    const options = {
      includeMetadata: true,
      ...groupLimit(definition),
      notifyPollingIntervalSeconds: POLL_INTERVAL_S,
    } as const;
    id = await boss.work(definition.name, options, async ([job]: JobWithMetadata<object>[]) => {
      try {
        await run(definition, job!);
      } finally {
        if (id !== undefined) boss.notifyWorker(id);
      }
    });
  }

  function enqueueRepeatedly({ name, everyMs }: JobDefinition): void {
    if (everyMs === undefined) return;
    const enqueue = () =>
      void send(name, {}).catch((err) => log.error({ err, job: name }, 'scheduling a job failed'));
    enqueue();
    timers.push(setInterval(enqueue, everyMs).unref());
  }

  return {
    define(job) {
      definitions.set(job.name, job as unknown as JobDefinition);
    },
    async start({ work = true, schedule = true } = {}) {
      await boss.start();
      const queues = await listQueues(boss);
      for (const [name, definition] of definitions) {
        await createQueue(boss, queues, { name, retryLimit: definition.retryLimit });
        if (!work) continue;
        for (let count = 0; count < definition.concurrency; count += 1) await startWorker(definition);
      }
      if (schedule) for (const definition of definitions.values()) enqueueRepeatedly(definition);
    },
    send: (name, data, options) => send(name, data, options),
    async cancel(name, id) {
      if (!definitions.has(name) || (await findJob(boss, name, id))?.state !== 'active') return false;
      await boss.cancel(name, id);
      // Another process that runs it loses its claim at the next heartbeat.
      running.get(id)?.abort(new Error('The job was stopped by an administrator.'));
      return true;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      // No job may start between the abort and the end.
      await Promise.all([...definitions.keys()].map((name) => boss.offWork(name, { wait: false })));
      stopping.abort(new Error('The server is stopping.'));
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

/**
 * Limits a group to one running job. Two workers that fetch at the same moment may both take a job of one group; pg-boss
 * returns the second only where groups are counted in the process.
 */
function groupLimit({ concurrency, group }: JobDefinition) {
  return group && concurrency > 1 ? { localGroupConcurrency: 1 } : { groupConcurrency: 1 };
}

/**
 * Creates the queue of a job with the policy `short`: at most one job of a key is queued, and the group limits running ones.
 * Policies that limit both read running keys from a cache a minute old, which delayed the jobs of killed processes.
 * Retries follow after about 2, 4, 8 seconds and so on up to a minute; then the job moves to `<name>.dead`. A queue that is there
 * with the same settings costs no statement.
 */
async function createQueue(
  boss: PgBoss,
  queues: ReadonlyMap<string, QueueResult>,
  { name, retryLimit }: { name: string; retryLimit: number },
): Promise<void> {
  const deadLetter = `${name}.dead`;
  if (!queues.has(deadLetter)) await boss.createQueue(deadLetter);
  const settings = {
    retryLimit,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: JOB_EXPIRATION_S,
    heartbeatSeconds: HEARTBEAT_INTERVAL_S,
    notify: true,
    deadLetter,
  };
  const found = queues.get(name);
  if (!found) return await boss.createQueue(name, { ...settings, policy: 'short' });
  const isSame = (key: string) =>
    found[key as keyof typeof settings] === settings[key as keyof typeof settings];
  if (!Object.keys(settings).every(isSame)) await boss.updateQueue(name, settings);
}

async function listQueues(boss: PgBoss): Promise<ReadonlyMap<string, QueueResult>> {
  return new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
}

/** An unfinished job of a backup. */
export interface StoredJob {
  name: string;
  data: object | null;
  /** Singleton key. */
  key: string | null;
  group: string | null;
  priority: number;
  /** Runs after the first. */
  retries: number;
  /** Seconds until it begins. */
  delay_s: number;
}

/** Enqueues the jobs of a backup in an empty database; the server creates the queues that are missing. */
export async function restoreJobs(databaseUrl: string, jobs: readonly StoredJob[]): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 1, supervise: false, schedule: false });
  const failures: unknown[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  try {
    const queues = await listQueues(boss);
    for (const name of new Set(jobs.map((job) => job.name)))
      await createQueue(boss, queues, { name, retryLimit: 0 });
    for (const { name, data, key, group, priority, retries, delay_s } of jobs) {
      const times = { priority, retryLimit: retries, startAfter: delay_s };
      const options = { ...times, ...(group !== null && { group: { id: group } }) };
      await boss.send(name, data, { ...options, singletonKey: key ?? newId() });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw failures[0];
}

async function isJobClaimed(boss: PgBoss, name: string, job: JobWithMetadata<object>): Promise<boolean> {
  const now = await findJob(boss, name, job.id);
  return now?.state === 'active' && now.retryCount === job.retryCount;
}

/** Moves a queued job to the time at which one with the same key would start, if that is earlier. */
async function bringForward(
  boss: PgBoss,
  { name, singletonKey, delayS }: { name: string; singletonKey: string; delayS: number },
): Promise<void> {
  await boss.getDb().executeSql(
    `update pgboss.job set start_after = now() + make_interval(secs => $3)
    where name = $1 and singleton_key = $2 and state = 'created' and start_after > now() + make_interval(secs => $3)`,
    [name, singletonKey, delayS],
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findJob(boss: PgBoss, name: string, id: string): Promise<JobWithMetadata<object> | undefined> {
  if (!UUID.test(id)) return undefined;
  const [job] = await boss.findJobs<object>(name, { id });
  return job;
}

/**
 * Counts queued and running jobs of a group. The priority of a job is lower by this number, which makes groups take turns
 * (round robin) however many jobs one of them sends.
 */
async function countUnfinished(boss: PgBoss, name: string, group: string): Promise<number> {
  const { rows } = await boss
    .getDb()
    .executeSql(
      "select count(*)::int as count from pgboss.job where name = $1 and group_id = $2 and state <= 'active'",
      [name, group],
    );
  return rows[0].count;
}
