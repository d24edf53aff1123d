import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openEmbedder } from '#assistant/models/embed.ts';
import { createPool } from '#assistant/pool.ts';
import { AppError } from '#contract/errors.ts';
import { connect } from '#db/connect.ts';
import { lockFolder } from '#db/folder-lock.ts';
import { createJobs } from '#db/job-queue.ts';
import { MAX_BRANCH_LOCKS, withProjectLock } from '#db/lock.ts';
import { migrate } from '#db/migrate.ts';
import { createNotifier } from '#db/notify.ts';
import { startEgress } from '#egress/proxy.ts';
import { createMailer } from '#mail/mailer.ts';
import { createIndexCache } from '#memory/index/index-cache.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { createApp } from '#server/app.ts';
import { hasAccounts, setupCode } from '#server/auth/setup-code.ts';
import type { Deps } from '#server/deps.ts';
import { createEvents } from '#server/events.ts';
import { listensBeyondLoopback } from '#server/http/listening.ts';
import { type JobDeps, listJobs, registerJobs } from '#server/jobs.ts';
import { createQueryEmbedder } from '#server/llm/query-embedding.ts';
import type { DiskSpace } from '#server/project-data/disk-space.ts';
import { createProjectCancellation } from '#server/project-data/project-cancellation.ts';
import { openProjectFiles, type ProjectFileStore } from '#server/project-data/project-files.ts';
import { listPrivateHosts } from '#server/projects/private-hosts.ts';
import { SAMPLES } from '#server/projects/samples.ts';
import { createRequestQueues } from '#server/rate-limit/request-queues.ts';
import { createMetrics } from '#server/telemetry/metrics.ts';
import type { Telemetry } from '#server/telemetry/open-telemetry.ts';
import { createWorkerApp } from '#server/worker-app.ts';
import { openObjectStore } from '#storage/open-store.ts';
import type { Config } from './config.ts';

const MIGRATION_TIMEOUT_MS = 3_600_000;
const CACHE_INTERVAL_MS = 60_000;

/** Resources that exist before the parts are connected. */
interface Foundation {
  databaseUrl: string;
  disk: DiskSpace;
  log: Logger;
  telemetry: Telemetry | null;
  /** Receives what closes the opened resources, in the order of opening. */
  closers: (() => unknown)[];
}

/** Creates the dependencies, starts the program and prints its URL. */
export async function connectParts(
  config: Config,
  { databaseUrl, disk, log, telemetry, closers }: Foundation,
): Promise<void> {
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  await migrateDatabase(directUrl);
  // Both together, so that a request has its answer 3 s after the database stops answering.
  const { db, close: closeDb } = connect(databaseUrl, {
    watchUrl: directUrl,
    connectTimeoutMs: 2_500,
    prepares: directUrl === databaseUrl,
  });
  closers.push(closeDb);
  // Waiting for a lock would hold a connection of a pooler.
  const branchLocks = connect(directUrl, { max: MAX_BRANCH_LOCKS });
  closers.push(branchLocks.close);
  // One connection for each job that may lock a project: clones and refreshes, and three other kinds of jobs.
  const projectLocks = connect(directUrl, { max: config.git.concurrency + 4 });
  closers.push(projectLocks.close);
  const notifier = await createNotifier(directUrl, { log });
  closers.push(notifier.close);
  const egress = await startEgress({
    allowedPrivateHosts: config.git.allowedPrivateHosts,
    localRoots: config.git.localRoots,
    samples: SAMPLES,
    loadAllowedHosts: () => listPrivateHosts(db),
    log: (event) => log.info(event, 'git connection'),
  });
  closers.push(egress.close);
  const indexCache = createIndexCache({ maxBytes: Math.floor(totalmem() / 4) });
  closers.push(indexCache.close);
  const pool = createPool({ threads: availableParallelism() + 1 });
  closers.push(pool.close);
  const jobs = createJobs({ databaseUrl: directUrl, log });
  closers.push(jobs.stop);
  const events = createEvents({ notifier, log });
  const projectCancellation = createProjectCancellation(events);
  const queues = createRequestQueues();
  const keys = loadSecretKeys(config);
  const now = () => new Date();
  const embedder = config.embedder && openEmbedder(config.embedder);
  const maxBytes = Math.floor(totalmem() / 8);
  const store = config.objectStore && openObjectStore(config.objectStore);
  const projectFiles = openProjectFiles({ db, dataDir: config.dataDir, store });
  if (store !== null) await boundDiskCache(projectFiles, config, { log, closers });
  const queryEmbedder = createQueryEmbedder(
    { db, config, jobs, queues, projectFiles, now },
    { embedder, log, maxBytes },
  );
  const deps: Deps = {
    db,
    lockDb: branchLocks.db,
    config,
    keys,
    jobs,
    indexCache,
    pool,
    queryEmbedder,
    egress,
    events,
    disk,
    projectCancellation,
    projectFiles,
    queues,
    metrics: createMetrics({ process: true }),
    telemetry,
    now,
  };
  const mailer = createMailer({ ...config.mail, folder: join(config.dataDir, 'mail'), log });
  const lock: JobDeps['lock'] = (id, work, signal) => withProjectLock(projectLocks.pool, id, work, signal);
  registerJobs(deps, listJobs({ ...deps, lock, mailer, embedder, log }));
  // The queue waits for the database while the routes are made.
  const [app] = await Promise.all([
    config.role === 'worker' ? createWorkerApp(deps, log) : createApp(deps, { log }),
    jobs.start({ work: config.role !== 'server' }),
  ]);
  closers.push(() => app.close());
  if (config.role === 'worker') await listenAsWorker(app, config);
  else await listen(app, deps, config);
}

/** Keeps the files of the object store on this disk within their limit. They belong to one process. */
async function boundDiskCache(
  files: ProjectFileStore,
  { dataDir, diskCacheBytes }: Config,
  { log, closers }: Pick<Foundation, 'log' | 'closers'>,
): Promise<void> {
  closers.push(lockFolder(join(dataDir, 'projects')));
  await files.removeUnfinished();
  const timer = setInterval(() => {
    files.evict(diskCacheBytes).catch((error: unknown) => log.warn({ err: error }, 'evicting cached files'));
  }, CACHE_INTERVAL_MS);
  closers.push(() => clearInterval(timer));
}

/** Migrates over a separate connection with a longer timeout. */
async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { db, close: closeDb } = connect(databaseUrl, { timeoutMs: MIGRATION_TIMEOUT_MS });
  await migrate(db).finally(closeDb);
}

/** Serves the health and the metrics of a worker, where it has a port. */
async function listenAsWorker(app: FastifyInstance, { host, workerPort, dataDir }: Config): Promise<void> {
  if (workerPort !== null) {
    await app.listen({ host, port: workerPort }).catch((cause) => {
      throw cannotListen({ host, port: workerPort }, cause);
    });
  }
  console.log(`Hindsight works in the background (data in ${dataDir})`);
}

async function listen(
  app: FastifyInstance,
  deps: Deps,
  { host, port, publicUrl, dataDir }: Config,
): Promise<void> {
  const url = await app.listen({ host, port }).catch((cause) => {
    throw cannotListen({ host, port }, cause);
  });
  console.log(`Hindsight is ready at ${publicUrl ?? url} (data in ${dataDir})`);
  if (listensBeyondLoopback({ host }) && !(await hasAccounts(deps.db))) {
    console.log(`The first account needs this setup code: ${setupCode(deps.keys)}`);
  }
}

function cannotListen({ host, port }: Pick<Config, 'host' | 'port'>, cause: Error): AppError {
  const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const failure = { cause, reason: 'listen_failed' };
  if (isTaken) return new AppError('conflict', 'port_in_use', { params: { port }, ...failure });
  const params = { host, port, problem: cause.message };
  return new AppError('conflict', 'cannot_listen', { params, ...failure });
}
