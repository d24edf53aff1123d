import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { requireOwnOrigin } from '../http/security.ts';
import { serve } from '../http/serve.ts';
import { audit, origin } from '../identity/audit-log.ts';
import { makeSecret, takeSecret } from '../identity/one-time-tokens.ts';
import { confirmOwner } from '../identity/reauthentication.ts';
import { addressKey, consume } from '../rate-limit/rate-limiter.ts';
import { exportEntries } from './data-export.ts';
import { zipped } from './zip.ts';

const LINK_TTL_S = 5 * 60;

/**
 * Serves the data export. Browsers download files only from plain links, which carry no bearer token, so the link
 * holds a single-use token.
 */
export function serveDataExport(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.askExport, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    await confirmOwner(app, deps, caller, { ...body, ip: request.ip });
    const key = await makeSecret(deps, {
      purpose: 'export',
      userId: caller.userId,
      data: {},
      seconds: LINK_TTL_S,
    });
    return { address: `${API_PREFIX}/auth/export?key=${key}` };
  });

  serve(app, accountRoutes.export, async ({ query, request, reply }) => {
    await consume(deps, `export:${addressKey(request.ip)}`, deps.config.limits.resetPerAddress);
    const token = await takeSecret(deps, 'export', query.key);
    if (!token?.userId) {
      throw new AppError(
        'not_found',
        'This download has been fetched already, or was asked for too long ago.',
      );
    }
    await audit(deps.db, { userId: token.userId, event: 'data_exported', ...origin(request) });
    const date = deps.now().toISOString().slice(0, 10);
    reply.header('content-type', 'application/zip');
    reply.header('content-disposition', `attachment; filename="hindsight-${date}.zip"`);
    return Readable.from(zipped(exportEntries(deps, token.userId)), { objectMode: false });
  });
}
