import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import { AppError } from '#contract/errors.ts';
import { startEmbedded } from '#db/embedded.ts';
import { startSpawner } from '#git/spawner.ts';
import { readGitVersion } from '#git/version.ts';
import { createLogger } from '#server/http/log.ts';
import { type DiskSpace, watchDiskSpace } from '#server/project-data/disk-space.ts';
import type { Telemetry } from '#server/telemetry/open-telemetry.ts';
import { mapStackTraces } from '#server/telemetry/stack-traces.ts';
import { type Config, readConfig } from './config.ts';

/** Time limit of an orderly shutdown, after which the process exits. */
const SHUTDOWN_TIMEOUT_MS = 14_000;
/** Signals within this time count as one, since npm and the terminal may both forward a Ctrl-C. */
const MIN_SECOND_SIGNAL_DELAY_MS = 2_000;

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

mapStackTraces();

/** Closes opened resources, in reverse order. */
const closers: (() => unknown)[] = [];
const started = performance.now();
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

try {
  const config = readSettings();
  const telemetry = config.otlp && (await openTelemetry(config.otlp));
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

async function openTelemetry(otlp: NonNullable<Config['otlp']>): Promise<Telemetry> {
  const { startTelemetry } = await import('#server/telemetry/open-telemetry.ts');
  return await startTelemetry(otlp, version);
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

/**
 * Starts PostgreSQL and git, which are processes of their own, and loads the modules of the other parts meanwhile. Loading blocks this
 * thread, so that it begins only when PostgreSQL has been launched.
 */
async function run(
  config: Config,
  { log, telemetry, fatal }: { log: Logger; telemetry: Telemetry | null; fatal: (error: unknown) => void },
): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const disk = watchDiskSpace({ dataDir: config.dataDir, reserveMb: config.diskReserveMb, log });
  closers.push(disk.close);
  const launched = Promise.withResolvers<void>();
  const database = openDatabase(config, { log, disk, onLost: fatal, onLaunch: launched.resolve });
  const git = startGit();
  const program = Promise.race([launched.promise, database]).then(() => import('./program.ts'));
  // What one of them has opened is closed when another fails.
  await Promise.allSettled([database, git, program]);
  await git;
  const databaseUrl = await database;
  const { connectParts } = await program;
  await connectParts(config, { databaseUrl, disk, log, telemetry, closers });
  log.info({ ms: Math.round(performance.now() - started) }, 'started');
  // Without this, Node keeps what it compiled for the next start only where this one ends in order.
  flushCompileCache();
}

async function startGit(): Promise<void> {
  closers.push((await startSpawner()).close);
  await readGitVersion();
}

/** URL of the database: the configured one, or that of the PostgreSQL that comes with the program. */
async function openDatabase(
  { databaseUrl, dataDir }: Config,
  {
    disk,
    ...options
  }: { log: Logger; disk: DiskSpace; onLost: (error: unknown) => void; onLaunch: () => void },
): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  const embedded = await startEmbedded({ dataDir, ...options, onDiskFull: disk.reportFull });
  closers.push(embedded.stop);
  return embedded.url;
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
