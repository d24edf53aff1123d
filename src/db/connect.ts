import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared-query.ts';
import type { Database } from './schema.ts';
import { watchForStalls } from './stall-watch.ts';

/** An open connection pool with its query builder. */
interface Connection {
  db: Kysely<Database>;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

interface ConnectOptions {
  timeoutMs?: number;
  connectTimeoutMs?: number;
  max?: number;
  /** URL of the database itself, where that of the pool is a pooler's. */
  watchUrl?: string;
  /** Runs the queries of `prepareQuery` as prepared statements, which a pooler in transaction mode does not support. */
  prepares?: boolean;
}

/**
 * Opens a pool of at most 10 connections, or `max`; nothing is dialled before the first query. A database that does not
 * answer makes a query fail after `connectTimeoutMs` without a connection and after `timeoutMs` with one, or with `watchUrl` as soon
 * as `select 1` is not answered there; it never hangs. jsonb columns are written with `JSON.stringify` and read as values.
 */
export function connect(
  url: string,
  { timeoutMs = 15_000, connectTimeoutMs = 3_000, max = 10, watchUrl, prepares = false }: ConnectOptions = {},
): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    // The server gives up first, so that a slow statement ends instead of running on unheard.
    statement_timeout: timeoutMs - 1_000,
    query_timeout: timeoutMs,
    application_name: 'hindsight',
    ...(prepares && { Client: PreparingClient }),
  });
  // Without a listener, a connection that breaks while idle would end the process. The next query tells.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const endWatch = watchUrl === undefined ? null : watchForStalls(pool, watchUrl);
  const close = async () => {
    await endWatch?.();
    await db.destroy();
    // Kysely ends only a pool that it has used.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
}

/**
 * SQLSTATEs of a server that is going away, coming up or out of resources: 08 connection, 53 resources, 57P shutdown,
 * 57014 a statement that took too long, 25006 a standby that has not been promoted yet.
 */
const UNAVAILABLE_STATE = /^(?:08|53|57P|57014|25006)/;
const UNAVAILABLE_SYSTEM = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
const SOCKET_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);
/** Of a socket that was closed before the query was written. */
const CLOSED_STREAM = new Set([
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
]);
/** Messages of errors without a code by which pg 8.23, pg-pool 3.14 and Kysely report a lost or refused connection. */
const UNAVAILABLE_TEXTS = new Set([
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Postgres connection has been discarded',
  'Query read timeout',
  'driver has already been destroyed',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

/** True for an error that means that the database is temporarily unreachable, so that a retry makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node tries every address of a host and throws what each of them said.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const { code = '', syscall = '', severity } = error as Error & Partial<Record<string, string>>;
  if (severity !== undefined) return UNAVAILABLE_STATE.test(code);
  if (SOCKET_CALLS.has(syscall) && UNAVAILABLE_SYSTEM.has(code)) return true;
  return CLOSED_STREAM.has(code) || UNAVAILABLE_TEXTS.has(error.message);
}

/** Messages of a connection that was lost while a query was under way. */
const LOST_TEXTS = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
]);

/** True for an unavailable database that may have executed the query nevertheless, such as a commit without its answer. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseUnavailable(error)) return false;
  const { code = '', syscall = '' } = error as Error & Partial<Record<string, string>>;
  return LOST_TEXTS.has(error.message) || (syscall === 'read' && code !== '') || /^57P0[12]$/.test(code);
}
