import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Deps } from './deps.ts';

/** `/healthz`: the process answers. `/readyz`: it can also work, so a balancer may send people here. */
export function serveHealth(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    await sql`select 1`.execute(db).catch((error) => {
      throw new AppError('unavailable', 'The database cannot be reached.', { cause: error, retryAfter: 2 });
    });
    return { ok: true };
  });
}
