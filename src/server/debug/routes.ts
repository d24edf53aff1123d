import type { FastifyInstance } from 'fastify';
import { type DebugAnswer, debugBody, debugRoutes } from '#contract/debug.ts';
import { learnTrust } from '#investigate/trust.ts';
import { share } from '#memory/share.ts';
import { projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { type Call, serve, untilClosed } from '../http.ts';
import { hunksFolder } from '../hunks.ts';
import { knownOutcomes } from '../outcomes.ts';
import { atRevision } from '../revision.ts';
import { findSession, pastSessions } from '../sessions.ts';
import { projectStorage, requireMemory } from '../storage.ts';
import { listSessions, sessionContext, storeSession } from './queries.ts';

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

/** Answers an error from the memory of its project, and keeps the session. */
async function answer(
  deps: Deps,
  { caller, body, reply }: Call<typeof debugRoutes.debug>,
): Promise<DebugAnswer> {
  const project = await projectAccess(deps, caller, body.project_id, 'viewer');
  const memory = await requireMemory(deps, project);
  const sessions = await pastSessions(deps.db, project.id);
  const started = performance.now();
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const { fingerprint, title, ...found } = await deps.pool.answer(
    {
      repo,
      hunks: hunksFolder(deps.config.dataDir, project.id),
      shared: share(memory),
      at: await atRevision(deps, { repo, memory, revision: body.revision }),
      request: body,
      sessions,
      trust: learnTrust(await knownOutcomes(deps.db, project.id)),
      now: deps.now().toISOString(),
    },
    { signal: untilClosed(reply) },
  );
  return await storeSession(deps.db, {
    project_id: project.id,
    user_id: caller.userId,
    fingerprint,
    title,
    request: body,
    answer: { ...found, took_ms: Math.round(performance.now() - started) },
  });
}
