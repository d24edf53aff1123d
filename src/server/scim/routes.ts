import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { scimTokenRoutes } from '#contract/scim.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { SCIM_PATH, serveScim } from './resources.ts';
import { createScimToken, deleteScimToken, listScimTokens } from './tokens.ts';

/** Registers SCIM: the tokens of directories, and `/scim/v2`. */
export function registerScim(app: FastifyInstance, deps: Deps): void {
  serveScim(app, deps);

  serve(app, scimTokenRoutes.list, async () => ({
    tokens: await listScimTokens(deps),
    base_url: resolvePublicUrl(app, deps.config) + SCIM_PATH,
  }));

  serve(app, scimTokenRoutes.create, async ({ caller, body, request }) => {
    const created = await createScimToken(deps, { name: body.name, createdBy: caller.userId });
    const entry = { userId: caller.userId, detail: { name: body.name }, ...clientInfo(request) };
    await recordAuditEvent(deps.db, { ...entry, event: 'scim_token_created' });
    return created;
  });

  serve(app, scimTokenRoutes.revoke, async ({ caller, params, request }) => {
    const name = await deleteScimToken(deps, params.id);
    if (name === null) throw new AppError('not_found', 'scim_token_not_found');
    const entry = { userId: caller.userId, detail: { name }, ...clientInfo(request) };
    await recordAuditEvent(deps.db, { ...entry, event: 'scim_token_revoked' });
    return { ok: true as const };
  });
}
