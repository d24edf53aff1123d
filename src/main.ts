import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import { openEmbedder } from '#assistant/models/embed.ts';
import { createPool } from '#assistant/pool.ts';
import { AppError } from '#contract/errors.ts';
import { connect } from '#db/connect.ts';
import { startEmbedded } from '#db/embedded.ts';
import { lockFolder } from '#db/folder-lock.ts';
import { createJobs } from '#db/job-queue.ts';
import { MAX_BRANCH_LOCKS, withProjectLock } from '#db/lock.ts';
import { migrate } from '#db/migrate.ts';
import { createNotifier } from '#db/notify.ts';
import { startEgress } from '#egress/proxy.ts';
import { startSpawner } from '#git/spawner.ts';
import { readGitVersion } from '#git/version.ts';
import { createMailer } from '#mail/mailer.ts';
import { createIndexCache } from '#memory/index/index-cache.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { createApp } from '#server/app.ts';
import { hasAccounts, setupCode } from '#server/auth/setup-code.ts';
import type { Deps } from '#server/deps.ts';
import { createEvents } from '#server/events.ts';
import { listensBeyondLoopback } from '#server/http/listening.ts';
import { createLogger } from '#server/http/log.ts';
import { type JobDeps, listJobs, registerJobs } from '#server/jobs.ts';
import { createQueryEmbedder } from '#server/llm/query-embedding.ts';
import { type DiskSpace, watchDiskSpace } from '#server/project-data/disk-space.ts';
import { createProjectCancellation } from '#server/project-data/project-cancellation.ts';
import { openProjectFiles, type ProjectFileStore } from '#server/project-data/project-files.ts';
import { listPrivateHosts } from '#server/projects/private-hosts.ts';
import { SAMPLES } from '#server/projects/samples.ts';
import { createRequestQueues } from '#server/rate-limit/request-queues.ts';
import { createMetrics } from '#server/telemetry/metrics.ts';
import { startTelemetry, type Telemetry } from '#server/telemetry/open-telemetry.ts';
import { createWorkerApp } from '#server/worker-app.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { type Config, readConfig } from './config.ts';

/** Time limit of an orderly shutdown, after which the process exits. */
const SHUTDOWN_TIMEOUT_MS = 14_000;
/** Signals within this time count as one, since npm and the terminal may both forward a Ctrl-C. */
const MIN_SECOND_SIGNAL_DELAY_MS = 2_000;

const MIGRATION_TIMEOUT_MS = 3_600_000;
const CACHE_INTERVAL_MS = 60_000;

/** Exit codes besides 0 and 1, after which `scripts/keep-running.mjs` does not restart the process. */
const EXIT_CODES = { misconfigured: 78, stoppedLate: 143 };

/** Reasons of startup errors that persist until the operator changes a setting or the machine. */
const OPERATOR_REASONS = [
  'already_running',
  'listen_failed',
  'symlink_in_cluster',
  'lock_not_a_file',
  'newer_database',
  'postgres_other_version',
  'embedded_postgres_missing',
  'secret_key_too_short',
];

/** Closes opened resources, in reverse order. */
const closers: (() => unknown)[] = [];
const started = performance.now();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

try {
  const config = readSettings();
  const telemetry = config.otlp && (await startTelemetry(config.otlp, version));
  if (telemetry) closers.push(telemetry.close);
  const log = createLogger({ level: config.logLevel }, logDestination(telemetry));
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'unrecoverable error');
    process.exit(1);
  };
  process.on('unhandledRejection', fatal);
  shutDownOnSignals(log);
  await run(config, { log, telemetry, fatal });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await close();
  process.exit(
    error instanceof AppError && OPERATOR_REASONS.includes(error.reason ?? '') ? EXIT_CODES.misconfigured : 1,
  );
}

/** Writes the log to standard output, and to the collector where there is one. */
function logDestination(telemetry: Telemetry | null): DestinationStream {
  const stdout = pino.destination(1);
  if (telemetry === null) return stdout;
  return pino.multistream([stdout, telemetry.logStream].map((stream) => ({ stream, level: 'trace' })));
}

function readSettings(): Config {
  try {
    return readConfig();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(EXIT_CODES.misconfigured);
  }
}

/** Creates the dependencies, starts the program and prints its URL. */
async function run(
  config: Config,
  { log, telemetry, fatal }: { log: Logger; telemetry: Telemetry | null; fatal: (error: unknown) => void },
): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const disk = watchDiskSpace({ dataDir: config.dataDir, reserveMb: config.diskReserveMb, log });
  closers.push(disk.close);
  closers.push((await startSpawner()).close);
  await readGitVersion();
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, { log, disk, onLost: fatal }));
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  await migrateDatabase(directUrl);
  // Both together, so that a request has its answer 3 s after the database has stopped to answer.
  const { db, close: closeDb } = connect(databaseUrl, { watchUrl: directUrl, connectTimeoutMs: 2_500 });
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
  if (store !== null) await boundDiskCache(projectFiles, config, log);
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
  await jobs.start({ work: config.role !== 'server' });
  if (config.role === 'worker') await listenAsWorker(deps, config, log);
  else await listen(deps, config, log);
  log.info({ ms: Math.round(performance.now() - started) }, 'started');
  // Without this, Node keeps what it compiled for the next start only where this one ends in order.
  flushCompileCache();
}

/** Keeps the files of the object store on this disk within their limit. They belong to one process. */
async function boundDiskCache(
  files: ProjectFileStore,
  { dataDir, diskCacheBytes }: Config,
  log: Logger,
): Promise<void> {
  closers.push(lockFolder(join(dataDir, 'projects')));
  await files.removeUnfinished();
  const timer = setInterval(() => {
    files.evict(diskCacheBytes).catch((error: unknown) => log.warn({ err: error }, 'evicting cached files'));
  }, CACHE_INTERVAL_MS);
  closers.push(() => clearInterval(timer));
}

async function openEmbedded(
  { dataDir }: Config,
  { disk, ...options }: { log: Logger; disk: DiskSpace; onLost: (error: unknown) => void },
): Promise<string> {
  const embedded = await startEmbedded({ dataDir, ...options, onDiskFull: disk.reportFull });
  closers.push(embedded.stop);
  return embedded.url;
}

/** Migrates over a separate connection with a longer timeout. */
async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { db, close: closeDb } = connect(databaseUrl, { timeoutMs: MIGRATION_TIMEOUT_MS });
  await migrate(db).finally(closeDb);
}

/** Serves the health and the metrics of a worker, where it has a port. */
async function listenAsWorker(deps: Deps, { host, workerPort, dataDir }: Config, log: Logger): Promise<void> {
  if (workerPort !== null) {
    const app = createWorkerApp(deps, log);
    closers.push(() => app.close());
    await app.listen({ host, port: workerPort }).catch((cause) => {
      throw cannotListen({ host, port: workerPort }, cause);
    });
  }
  console.log(`Hindsight works in the background (data in ${dataDir})`);
}

async function listen(deps: Deps, { host, port, publicUrl, dataDir }: Config, log: Logger): Promise<void> {
  const app = await createApp(deps, { log });
  closers.push(() => app.close());
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

/** Closes in order: the server, then jobs with their git processes, then the database. */
async function close(): Promise<void> {
  while (closers.length > 0) await closers.pop()?.();
}

/** Shuts down on SIGTERM, SIGINT and SIGHUP, and when the parent process exits. */
function shutDownOnSignals(log: Logger): void {
  let firstSignalAt: number | null = null;
  const shutDown = () => {
    if (firstSignalAt !== null)
      return void (
        performance.now() - firstSignalAt > MIN_SECOND_SIGNAL_DELAY_MS && process.exit(EXIT_CODES.stoppedLate)
      );
    firstSignalAt = performance.now();
    setTimeout(() => process.exit(EXIT_CODES.stoppedLate), SHUTDOWN_TIMEOUT_MS).unref();
    close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'orderly shutdown failed');
        process.exit(EXIT_CODES.stoppedLate);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, shutDown);
  process.on('disconnect', shutDown);
}
