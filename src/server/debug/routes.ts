import type { FastifyInstance } from 'fastify';
import { type DebugAnswer, debugBody, debugRoutes } from '#contract/debug.ts';
import { projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { type Call, serve, untilClosed } from '../http.ts';
import { findSession } from '../sessions.ts';
import { investigateAndKeep } from './investigation.ts';
import { listSessions, sessionContext } from './queries.ts';

/** Serves the feature `debug`. */
export function registerDebug(app: FastifyInstance, deps: Deps): void {
  serve(app, debugRoutes.debug, (call) => answer(deps, call));
  serve(app, debugRoutes.rag, (call) => answer(deps, call));

  serve(app, debugRoutes.sessions, async ({ caller, query }) => {
    if (query.project_id !== undefined) await projectAccess(deps, caller, query.project_id, 'viewer');
    return await listSessions(deps.db, caller.userId, query);
  });

  serve(app, debugRoutes.session, async ({ caller, params }) => {
    const session = await findSession(deps.db, caller.userId, params.id);
    return {
      id: session.id,
      number: session.number,
      project_id: session.project_id,
      created_at: session.created_at.toISOString(),
      request: debugBody.parse(session.request),
      answer: session.answer,
      ...(await sessionContext(deps.db, session)),
    };
  });
}

/** Answers an error, and keeps the session. */
async function answer(
  deps: Deps,
  { caller, body, reply }: Call<typeof debugRoutes.debug>,
): Promise<DebugAnswer> {
  const project = await projectAccess(deps, caller, body.project_id, 'viewer');
  const options = { user_id: caller.userId, request: body, signal: untilClosed(reply) };
  return await investigateAndKeep(deps, project, options);
}
