import type { FastifyInstance } from 'fastify';
import { historyRoutes } from '#contract/history.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { findSession, presentFeedback } from '../project-data/debug-sessions.ts';
import { registerCommits } from './commit-routes.ts';
import { registerComparisons } from './compare-routes.ts';
import { listProjectFeedback, listSessionFeedback, saveFeedback } from './queries.ts';

/** Registers the `history` routes. */
export function registerHistory(app: FastifyInstance, deps: Deps): void {
  registerCommits(app, deps);
  registerComparisons(app, deps);

  serve(app, historyRoutes.giveFeedback, async ({ caller, body }) => {
    const session = await findSession(deps.db, caller.userId, body.debug_query_id);
    const row = await saveFeedback(deps.db, {
      project_id: session.project_id,
      fingerprint: session.fingerprint,
      session_id: session.id,
      user_id: caller.userId,
      helpful: body.helpful,
      comments: body.comments || null,
    });
    deps.events.emit({
      type: 'feedback-given',
      sessionId: session.id,
      userId: caller.userId,
      helpful: row.helpful,
    });
    return presentFeedback(row);
  });

  serve(app, historyRoutes.feedback, async ({ caller, params, query }) => {
    if (query.scope === 'project') {
      const project = await projectAccess(deps, caller, params.id, 'viewer');
      return await listProjectFeedback(deps.db, { projectId: project.id, userId: caller.userId });
    }
    const session = await findSession(deps.db, caller.userId, params.id);
    return await listSessionFeedback(deps.db, session.id);
  });
}
