import type { FastifyInstance } from 'fastify';
import type { EmitAnswerEvent } from '#assistant/answer/answer-context.ts';
import { debugBody, debugRoutes } from '#contract/debug.ts';
import { type CheckerPool, createCheckerPool } from '#diagnose/checker-pool.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { projectAccess } from '../identity/access.ts';
import { findSession } from '../project-data/debug-sessions.ts';
import { loadSessionProofs } from '../project-data/session-proofs.ts';
import { findLabel } from './answer-labels.ts';
import { registerErrorGroups } from './error-routes.ts';
import { findFollowUp, findOrCreateFollowUp } from './follow-up.ts';
import { investigateAndSave } from './investigate-error.ts';
import { rankProjectsForError } from './match-projects.ts';
import { listSessions, loadSessionContext } from './queries.ts';
import { decideResolution, findSessionResolution } from './resolutions.ts';
import { probabilitiesOf, truncateAnswer } from './truncate-answer.ts';

/** Longer than in the editor: an unchecked patch is not shown. */
const PATCH_CHECK_TIMEOUT_MS = 30_000;

/** Registers the `debug` routes. */
export function registerDebug(app: FastifyInstance, deps: Deps): void {
  const checkers = createCheckerPool({ timeoutMs: PATCH_CHECK_TIMEOUT_MS });
  app.addHook('onClose', () => checkers.close());
  serve(app, debugRoutes.debug, (call) => investigate({ deps, checkers }, call));
  serve(app, debugRoutes.rag, (call) => investigate({ deps, checkers }, call));

  registerErrorGroups(app, deps);

  serve(app, debugRoutes.match, async ({ caller, body, reply }) => {
    const signal = abortOnDisconnect(reply);
    const match = { userId: caller.userId, request: body, signal };
    return { projects: await rankProjectsForError(deps, match) };
  });

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
      ...(await loadSessionContext(deps.db, session, caller.userId)),
      resolution: await findSessionResolution(deps.db, session),
      ...(await proveAnswer(deps, session, caller.userId)),
      label: await findLabel(deps.db, session, caller.userId),
      thread_id: await findFollowUp(deps.db, session, caller.userId),
    };
  });

  serve(app, debugRoutes.reviewResolution, async ({ caller, params, body }) => {
    const session = await findSession(deps.db, caller.userId, params.id);
    await decideResolution(deps, session, { ...body, userId: caller.userId });
    return { ok: true as const };
  });

  serve(app, debugRoutes.followUp, async ({ caller, params }) => {
    const session = await findSession(deps.db, caller.userId, params.id);
    return { id: await findOrCreateFollowUp(deps.db, session, { userId: caller.userId, at: deps.now() }) };
  });
}

/** Advice to run the failing case at a commit and at its parent, in every language. */
const ADVICE_TO_CONFIRM = /`[0-9a-f]{7,40}\^`/;

/**
 * The answer with its proofs; a proven commit replaces the probability of the cause and the advice to confirm it, and with another
 * suspect goes the patch for that one, unless a run has verified it.
 */
async function proveAnswer({ db }: Deps, session: Awaited<ReturnType<typeof findSession>>, userId: string) {
  const { proven, ...proofs } = await loadSessionProofs(db, session, userId);
  const answer = truncateAnswer(session.answer);
  if (!proven) return { ...proofs, answer };
  const { context } = answer;
  const code_suggestions = context.code_suggestions.filter((advice) => !ADVICE_TO_CONFIRM.test(advice));
  const suspect = answer.timeline.find(({ kind }) => kind === 'suspect')?.commit;
  const isCleared = suspect != null && suspect.hash !== proven.commit.hash && !proofs.verified;
  const patch = isCleared ? null : answer.patch;
  const cleared = { cause_confidence: null, patch, context: { ...context, code_suggestions } };
  const probabilities = probabilitiesOf({ ...answer, ...cleared });
  return { ...proofs, answer: { ...answer, ...cleared, probabilities, proven } };
}

/** Investigates an error, streamed as events on request, and saves the session. */
async function investigate(
  { deps, checkers }: { deps: Deps; checkers: CheckerPool },
  { caller, body, request, reply }: RequestContext<typeof debugRoutes.debug>,
) {
  const project = await projectAccess(deps, caller, body.project_id, 'viewer');
  const onLogFailure = (error: unknown) => request.log.error({ err: error }, 'egress log');
  const run = (emit: EmitAnswerEvent, signal: AbortSignal) => {
    const interactive = { checkers, emit, onLogFailure };
    return investigateAndSave(deps, project, { user_id: caller.userId, request: body, signal, interactive });
  };
  if (acceptsEventStream(request)) return createEventStream(request, reply, run);
  return await run(() => {}, abortOnDisconnect(reply));
}
