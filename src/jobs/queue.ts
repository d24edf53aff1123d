import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { newId } from '#db/ids.ts';

/** What a handler knows about its run. */
export interface JobContext {
  /** Aborted when the server stops, or when the claim on the job is found lost. */
  signal: AbortSignal;
  /** 1 for the first run. */
  attempt: number;
  /** Whether this run still owns the job. Ask before publishing: a run that was thought dead must not. */
  claimed(): Promise<boolean>;
}

export interface JobOptions<T> {
  /** Jobs of this name at once in this process. */
  concurrency: number;
  /** Further runs after a failure or a killed process; after them the job becomes a dead letter. */
  retryLimit: number;
  /** Of jobs with one key, one runs and one waits; null for a job that has nothing to do with others. */
  singleton: (data: T) => string | null;
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

  const send = async (name: string, data: object, { delayS }: { delayS?: number } = {}) => {
    const definition = definitions.get(name);
    if (!definition) throw new Error(`No job is called ${name}.`);
    const singletonKey = definition.options.singleton(data) ?? newId();
    const group = { id: singletonKey };
    return (await boss.send(name, data, { singletonKey, group, startAfter: delayS ?? 0 })) !== null;
  };

  async function run(name: string, { handler }: Definition, job: JobWithMetadata<object>): Promise<void> {
    const context = {
      signal: AbortSignal.any([job.signal, stopping.signal]),
      attempt: job.retryCount + 1,
      claimed: () => isClaimed(boss, name, job),
    };
    try {
      stopping.signal.throwIfAborted();
      await handler(job.data, context);
    } catch (error) {
      // A server that stops is no failure of the job: it waits again as a new one, with all its attempts.
      if (stopping.signal.aborted) return void (await send(name, job.data));
      log.error({ err: error, job: name, id: job.id, attempt: context.attempt }, 'a job failed');
      throw error;
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
            groupConcurrency: 1,
            notifyPollingIntervalSeconds: POLL_S,
          },
          async ([job]: JobWithMetadata<object>[]) => run(name, definition, job!),
        );
      }
    },
    send: (name, data, options) => send(name, data, options),
    async stop() {
      // Nothing new may begin between the abort and the end.
      await Promise.all([...definitions.keys()].map((name) => boss.offWork(name, { wait: false })));
      stopping.abort(new Error('The server is stopping.'));
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
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
  const [now] = await boss.findJobs(name, { id: job.id });
  return now?.state === 'active' && now.retryCount === job.retryCount;
}
