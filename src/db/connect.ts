import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** An open connection pool with its query builder. */
export interface Connection {
  db: Kysely<Database>;
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens a pool of at most 10 connections; nothing is dialled before the first query. A database that does not
 * answer makes a query fail after 3 s without a connection and after `timeoutMs` with one; it never hangs.
 * jsonb columns are written with `JSON.stringify` and read as values.
 */
export function connect(url: string, { timeoutMs = 15_000 }: { timeoutMs?: number } = {}): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    // The server gives up first, so that a slow statement ends instead of running on unheard.
    statement_timeout: timeoutMs - 1_000,
    query_timeout: timeoutMs,
    application_name: 'hindsight',
  });
  // Without a listener, a connection that breaks while idle would end the process. The next query tells.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Classes of SQLSTATE in which the server is going away or coming up: 08 connection, 53 resources, 57P shutdown. */
const UNAVAILABLE_STATE = /^(?:08|53|57P)/;
const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);
const UNAVAILABLE_WORDS = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/;

/** Whether an error says that the database cannot be reached just now, so that a retry makes sense. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isPostgres = error instanceof pg.DatabaseError && UNAVAILABLE_STATE.test(code);
  const isSocket = 'syscall' in error && UNAVAILABLE_SYSTEM.has(code);
  return isPostgres || isSocket || UNAVAILABLE_WORDS.test(error.message);
}
