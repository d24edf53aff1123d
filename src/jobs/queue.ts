import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { newId } from '#db/ids.ts';

/** What a handler knows about its run. */
export interface JobContext {
  /** Aborted when the server stops, when the job is cancelled, or when the claim on it is found lost. */
  signal: AbortSignal;
  /** 1 for the first run. */
  attempt: number;
  /** Whether this run still owns the job. Ask before publishing: a run that was thought dead must not. */
  claimed(): Promise<boolean>;
  /** Whether an administrator has stopped the job: it does not run again. */
  cancelled(): Promise<boolean>;
}

export interface JobOptions<T> {
  /** Jobs of this name at once in this process. */
  concurrency: number;
  /** Further runs after a failure or a killed process; after them the job becomes a dead letter. */
  retryLimit: number;
  /** Of jobs with one key, one runs and one waits; null for a job that has nothing to do with others. */
  singleton: (data: T) => string | null;
  /** Whom a job is for: one of theirs runs at once in this process, and they take turns. By key where absent. */
  group?: (data: T) => Promise<string | null>;
}

export type JobHandler<T> = (data: T, context: JobContext) => Promise<void>;

/** Work that outlives requests and processes. Every job runs at least once, so every handler can run twice. */
export interface Jobs {
  /** Before `start`, in every process: who only sends must know the job too. */
  define<T extends object>(name: string, options: JobOptions<T>, handler: JobHandler<T>): void;
  /** Makes the queues and, unless `work` is false, begins to run jobs. */
  start(options?: { work?: boolean }): Promise<void>;
  /** False when a job with the same key was waiting already. */
  send<T extends object>(name: string, data: T, options?: { delayS?: number }): Promise<boolean>;
  /** Ends a running job for good, in another process within seconds; false when no such job runs. */
  cancel(name: string, id: string): Promise<boolean>;
  /** Aborts what runs, gives it back to the queue at once, and closes the connections. */
  stop(): Promise<void>;
}

/** Longer than any job: a process that dies is noticed by its heartbeat, a stuck one is the handler's business. */
const EXPIRE_S = 23 * 3600;
/** With these three a killed process's job runs again within about 15 s; with the defaults after minutes. */
const HEARTBEAT_S = 10;
const SUPERVISE_S = 5;
const MONITOR_S = 5;
/** While notifications work, polling is only the safety net; its default is 30 s. */
const POLL_S = 2;
/** How long `stop` waits for handlers that have been told to end. */
const STOP_MS = 6_000;

interface Definition {
  options: JobOptions<object>;
  handler: JobHandler<object>;
}

/** Jobs in PostgreSQL by pg-boss, in its own schema, over connections of its own. */
export function createJobs({ databaseUrl, log }: { databaseUrl: string; log: Logger }): Jobs {
  const stopping = new AbortController();
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'hindsight-jobs',
    max: 4,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: MONITOR_S,
    useListenNotify: true,
  });
  boss.on('error', (error) => {
    // Connections that are cut while they close are how it ends.
    if (!stopping.signal.aborted) log.error(`job queue: ${error.message}`);
  });
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`));
  const definitions = new Map<string, Definition>();
  const running = new Map<string, AbortController>();

  const send = async (name: string, data: object, { delayS }: { delayS?: number } = {}) => {
    const definition = definitions.get(name);
    if (!definition) throw new Error(`No job is called ${name}.`);
    const { singleton, group } = definition.options;
    const singletonKey = singleton(data) ?? newId();
    const id = (await group?.(data)) ?? singletonKey;
    const priority = group ? -(await countUnfinished(boss, name, id)) : 0;
    const options = { singletonKey, group: { id }, priority, startAfter: delayS ?? 0 };
    return (await boss.send(name, data, options)) !== null;
  };

  async function run(name: string, { handler }: Definition, job: JobWithMetadata<object>): Promise<void> {
    const cancelled = new AbortController();
    running.set(job.id, cancelled);
    const context = {
      signal: AbortSignal.any([job.signal, stopping.signal, cancelled.signal]),
      attempt: job.retryCount + 1,
      claimed: () => isClaimed(boss, name, job),
      cancelled: async () => (await findJob(boss, name, job.id))?.state === 'cancelled',
    };
    try {
      stopping.signal.throwIfAborted();
      await handler(job.data, context);
    } catch (error) {
      // A server that stops is no failure of the job: it waits again as a new one, with all its attempts.
      if (stopping.signal.aborted) return void (await send(name, job.data));
      if (cancelled.signal.aborted) return;
      log.error({ err: error, job: name, id: job.id, attempt: context.attempt }, 'a job failed');
      throw error;
    } finally {
      running.delete(job.id);
    }
  }

  return {
    define(name, options, handler) {
      definitions.set(name, { options, handler } as unknown as Definition);
    },
    async start({ work = true } = {}) {
      await boss.start();
      for (const [name, definition] of definitions) {
        await makeQueue(boss, name, definition.options.retryLimit);
        if (!work) continue;
        await boss.work(
          name,
          {
            includeMetadata: true,
            localConcurrency: definition.options.concurrency,
            ...onePerGroup(definition.options),
            notifyPollingIntervalSeconds: POLL_S,
          },
          async ([job]: JobWithMetadata<object>[]) => run(name, definition, job!),
        );
      }
    },
    send: (name, data, options) => send(name, data, options),
    async cancel(name, id) {
      if (!definitions.has(name) || (await findJob(boss, name, id))?.state !== 'active') return false;
      await boss.cancel(name, id);
      // A process that holds it elsewhere finds its claim lost at the next heartbeat.
      running.get(id)?.abort(new Error('The job was stopped by an administrator.'));
      return true;
    },
    async stop() {
      // Nothing new may begin between the abort and the end.
      await Promise.all([...definitions.keys()].map((name) => boss.offWork(name, { wait: false })));
      stopping.abort(new Error('The server is stopping.'));
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

/**
 * Two idle workers that fetch at the same moment do not see each other's choice, so that both may take a job of one
 * group; pg-boss gives back the second where groups are counted in the process. It counts here or everywhere.
 */
function onePerGroup({ concurrency, group }: JobOptions<object>) {
  return group && concurrency > 1 ? { localGroupConcurrency: 1 } : { groupConcurrency: 1 };
}

/**
 * `short`: of the jobs with one key at most one waits. That at most one runs is the group's doing, which every fetch
 * reads from the jobs themselves; the policies that promise both read which keys run from a cache a minute old, so
 * that the job of a killed process, long given back, waited that minute. Failures are repeated after about 2, 4, 8
 * seconds and so on up to a minute; the last goes to `<name>.dead`.
 */
async function makeQueue(boss: PgBoss, name: string, retryLimit: number): Promise<void> {
  const deadLetter = `${name}.dead`;
  await boss.createQueue(deadLetter);
  const settings = {
    retryLimit,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: EXPIRE_S,
    heartbeatSeconds: HEARTBEAT_S,
    notify: true,
    deadLetter,
  };
  await boss.createQueue(name, { ...settings, policy: 'short' });
  await boss.updateQueue(name, settings);
}

async function isClaimed(boss: PgBoss, name: string, job: JobWithMetadata<object>): Promise<boolean> {
  const now = await findJob(boss, name, job.id);
  return now?.state === 'active' && now.retryCount === job.retryCount;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findJob(boss: PgBoss, name: string, id: string): Promise<JobWithMetadata<object> | undefined> {
  if (!UUID.test(id)) return undefined;
  const [job] = await boss.findJobs<object>(name, { id });
  return job;
}

/**
 * Jobs of a group that wait or run. A job's priority falls by one for each of them, so that everybody's first job
 * comes before anybody's second: round robin, however many one of them sends.
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
