import type { FastifyInstance } from 'fastify';
import { type EgressEntry, egressRoutes } from '#contract/egress.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';

/** Registers the `egress` routes: the log of outbound requests. */
export function registerEgressLog(app: FastifyInstance, deps: Deps): void {
  serve(app, egressRoutes.project, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listEgress(deps, project.id, query);
  });
  serve(app, egressRoutes.all, async ({ query }) => await listEgress(deps, null, query));
}

/** Lists a page of the log, for one project or all, newest first. */
async function listEgress(
  { db }: Pick<Deps, 'db'>,
  projectId: string | null,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ entries: EgressEntry[]; has_more: boolean }> {
  const rows = await db
    .selectFrom('egress_log as e')
    .leftJoin('users as u', 'u.id', 'e.user_id')
    .select([
      'e.id',
      'e.at',
      'e.purpose',
      'e.host',
      'e.bytes_sent',
      'e.bytes_received',
      'e.status',
      'e.duration_ms',
    ])
    .select('u.username as user')
    .$if(projectId !== null, (query) => query.where('e.project_id', '=', projectId))
    .orderBy('e.id', 'desc')
    .offset(skip)
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(({ at, bytes_sent, bytes_received, ...row }) => {
    return {
      ...row,
      at: at.toISOString(),
      bytes_sent: Number(bytes_sent),
      bytes_received: Number(bytes_received),
    };
  });
  return { entries, has_more: rows.length > limit };
}
