import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';

/** Paths of health checks. */
export const HEALTH_PATHS = ['/healthz', '/readyz'];

/** Serves `/healthz` (the process responds) and `/readyz` (the database responds too, so that a load balancer may route here). */
export function serveHealth(app: FastifyInstance, { db, disk }: Pick<Deps, 'db' | 'disk'>): void {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    await sql`select 1`.execute(db).catch((error) => {
      const key = disk.isFull ? 'database_unreachable_disk_full' : 'database_unreachable';
      throw new AppError('unavailable', key, { cause: error, retryAfter: 2 });
    });
    return { ok: true, disk_full: disk.isFull };
  });
}
