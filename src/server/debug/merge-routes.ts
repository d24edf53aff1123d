import type { FastifyInstance } from 'fastify';
import { errorMergingRoutes } from '#contract/error-merging.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { requireVisibleErrors } from '../project-data/visible-errors.ts';
import { findErrorScope } from './error-detail.ts';
import { mergeErrors, splitError } from './merge-errors.ts';
import { findSimilarErrors } from './similar-errors.ts';
import { splitEvent } from './split-event.ts';

/** Registers the routes that find similar errors, merge them and split them. */
export function registerErrorMerging(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, errorMergingRoutes.similar, async ({ caller, params }) => {
    const { id: projectId } = await projectAccess(deps, caller, params.id, 'viewer');
    const { id: errorId } = await findErrorScope(db, projectId, params.error);
    await requireVisibleErrors(db, caller.userId, { projectId, ids: [errorId] });
    return { errors: await findSimilarErrors(db, caller.userId, { projectId, errorId }) };
  });

  serve(app, errorMergingRoutes.merge, async ({ caller, params, body, request }) => {
    const { id: projectId, name: project } = await projectAccess(deps, caller, params.id, 'editor');
    await requireVisibleErrors(db, caller.userId, { projectId, ids: [params.error, ...body.errors] });
    const merged = await mergeErrors(db, { projectId, into: params.error, ...body });
    const detail = { project, errors: String(merged.length + 1) };
    const entry = { userId: caller.userId, event: 'errors_merged', ...clientInfo(request), detail } as const;
    await recordAuditEvent(db, entry);
    return { id: params.error, merged };
  });

  serve(app, errorMergingRoutes.split, async ({ caller, params, body, request }) => {
    const { id: projectId, name: project } = await projectAccess(deps, caller, params.id, 'editor');
    await requireVisibleErrors(db, caller.userId, { projectId, ids: [params.error] });
    const { event: eventId, keys = [], into } = body;
    const from = { projectId, from: params.error };
    const split =
      eventId === undefined
        ? { id: await splitError(db, { ...from, keys, into }), keys }
        : await splitEvent(db, { ...from, eventId }).then(({ id, key }) => ({ id, keys: [key] }));
    const entry = { userId: caller.userId, event: 'error_split', ...clientInfo(request) } as const;
    await recordAuditEvent(db, { ...entry, detail: { project } });
    return split;
  });
}
