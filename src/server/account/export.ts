import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import { audit, origin } from '../audit.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { addressKey, consume } from '../limits.ts';
import { makeSecret, takeSecret } from '../one-time.ts';
import { requireOwnOrigin } from '../security.ts';
import { zipped } from '../zip.ts';
import { everythingOf } from './belongings.ts';

const LINK_S = 5 * 60;

/**
 * Serves the download of everything that a user owns. A browser saves a file as it comes only from a plain link, which
 * carries no bearer; so the link carries a secret that works once.
 */
export function serveExport(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.askExport, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    await confirmOwner(app, deps, caller, { ...body, ip: request.ip });
    const key = await makeSecret(deps, {
      purpose: 'export',
      userId: caller.userId,
      data: {},
      seconds: LINK_S,
    });
    return { address: `${API_PREFIX}/auth/export?key=${key}` };
  });

  serve(app, accountRoutes.export, async ({ query, request, reply }) => {
    await consume(deps, `export:${addressKey(request.ip)}`, deps.config.limits.resetPerAddress);
    const used = await takeSecret(deps, 'export', query.key);
    if (!used?.userId) {
      throw new AppError(
        'not_found',
        'This download has been fetched already, or was asked for too long ago.',
      );
    }
    await audit(deps.db, { userId: used.userId, event: 'data_exported', ...origin(request) });
    const day = deps.now().toISOString().slice(0, 10);
    reply.header('content-type', 'application/zip');
    reply.header('content-disposition', `attachment; filename="hindsight-${day}.zip"`);
    return Readable.from(zipped(everythingOf(deps, used.userId)), { objectMode: false });
  });
}
