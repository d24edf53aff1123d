import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { consumeToken, issueToken } from '../identity/one-time-tokens.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { exportEntries } from './data-export.ts';
import { createZip } from './zip.ts';

const LINK_TTL_S = 5 * 60;

/**
 * Serves the data export. Browsers download files only from plain links, which carry no bearer token, so the link
 * holds a single-use token.
 */
export function serveDataExport(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.requestExport, async ({ caller, body, request }) => {
    await requireReauthentication(app, deps, caller, { ...body, ip: request.ip });
    const token = await issueToken(deps, {
      purpose: 'data_export',
      userId: caller.userId,
      data: {},
      seconds: LINK_TTL_S,
    });
    return { url: `${API_PREFIX}/auth/export?token=${token}` };
  });

  serve(app, accountRoutes.export, async ({ query, request, reply }) => {
    const token = await consumeToken(deps, 'data_export', query.token);
    if (!token?.userId) {
      throw new AppError('not_found', 'export_expired');
    }
    await recordAuditEvent(deps.db, { userId: token.userId, event: 'data_exported', ...clientInfo(request) });
    const date = deps.now().toISOString().slice(0, 10);
    reply.header('content-type', 'application/zip');
    reply.header('content-disposition', `attachment; filename="hindsight-${date}.zip"`);
    return Readable.from(createZip(exportEntries(deps, token.userId)), { objectMode: false });
  });
}
