import type { FastifyInstance } from 'fastify';
import { changeCheckRoutes } from '#contract/change-check.ts';
import { impactRoutes } from '#contract/impact.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { checkProjectChange } from './check-project-change.ts';
import { findProjectImpact } from './find-project-impact.ts';

/** Registers the routes that compare changes with the history. */
export function registerChanges(app: FastifyInstance, deps: Deps): void {
  serve(app, changeCheckRoutes.check, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    return await checkProjectChange(deps, reader, { ref: body.ref ?? null, files: body.files });
  });

  serve(app, impactRoutes.get, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    return await findProjectImpact(deps, reader, query);
  });
}
