import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

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

async function tryLock(client: pg.PoolClient, projectId: string): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as locked', [
    `project:${projectId}`,
  ]);
  return rows[0].locked;
}
