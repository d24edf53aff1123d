import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { AppError } from '#contract/errors.ts';
import type { Database } from './schema.ts';

/**
 * Runs `fn` while no other process works on the project's repository and shard, waiting for its turn. The lock
 * belongs to one connection and ends with it, so it cannot outlive a killed process. It is asked for four times
 * a second instead of waited for, because a waiting statement would meet the statement timeout.
 */
export async function withProjectLock<T>(
  pool: pg.Pool,
  projectId: string,
  fn: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    while (!(await tryLock(client, projectId))) await sleep(250, undefined, { signal });
    try {
      return await fn();
    } finally {
      await client
        .query('select pg_advisory_unlock(hashtextextended($1, 0))', [`project:${projectId}`])
        .catch(() => {
          broken = true;
        });
    }
  } finally {
    client.release(broken);
  }
}

/** Branches that are written at once in one process: each holds a connection of `lockDb`, none waits for one. */
export const MAX_BRANCH_LOCKS = 4;

/** SQLSTATE `lock_not_available`. */
const LOCK_TIMEOUT = '55P03';

/**
 * Runs `fn` as the only writer of this branch of a project's repository. The lock ends with the transaction
 * of `fn`, so neither an error nor a killed process leaves it behind. `db` is a pool for locks alone: waiting callers
 * hold connections, which other queries must not lack. Throws `unavailable` after ten seconds. `other` is locked as well,
 * both in the order of their names, so that two callers can't wait for each other.
 */
export async function withBranchLock<T>(
  db: Kysely<Database>,
  { projectId, branch, other = branch }: { projectId: string; branch: string; other?: string },
  fn: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '10s'`.execute(transaction);
    for (const name of new Set([branch, other].sort())) {
      await lockBranch(transaction, `branch:${projectId}:${name}`);
    }
    return await fn(transaction);
  });
}

async function lockBranch(transaction: Transaction<Database>, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction).catch((error) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_TIMEOUT) throw error;
    throw new AppError('unavailable', 'branch_locked', {
      cause: error,
      retryAfter: 2,
    });
  });
}

async function tryLock(client: pg.PoolClient, projectId: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as locked', [
    `project:${projectId}`,
  ]);
  return rows[0].locked;
}
