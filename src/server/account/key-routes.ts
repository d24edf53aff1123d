import type { FastifyInstance } from 'fastify';
import { keyRoutes } from '#contract/keys.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { insertKey, listKeys, revokeKey } from './key-queries.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Registers the `keys` routes. */
export function registerKeys(app: FastifyInstance, deps: Deps): void {
  serve(app, keyRoutes.list, async ({ caller }) => ({ keys: await listKeys(deps.db, caller.userId) }));

  serve(app, keyRoutes.create, async ({ caller, body, request }) => {
    const { current_password } = body;
    await requireReauthentication(app, deps, caller, { current_password, ip: request.ip });
    if (body.project_id) await projectAccess(deps, caller, body.project_id, 'viewer');
    const days = body.expires_in_days;
    return await deps.db.transaction().execute(async (db) => {
      const { key, row } = await insertKey(db, {
        userId: caller.userId,
        name: body.name,
        scope: body.scope,
        projectId: body.project_id ?? null,
        expiresAt: days ? new Date(deps.now().getTime() + days * DAY_MS) : null,
      });
      const detail = { name: row.name, scope: row.scope };
      await recordAuditEvent(db, {
        userId: caller.userId,
        event: 'key_created',
        detail,
        ...clientInfo(request),
      });
      return { ...row, key };
    });
  });

  serve(app, keyRoutes.revoke, async ({ caller, params, request }) => {
    const name = await revokeKey(deps.db, { userId: caller.userId, id: params.id, at: deps.now() });
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'key_revoked',
      detail: { name },
      ...clientInfo(request),
    });
    return { ok: true as const };
  });
}
