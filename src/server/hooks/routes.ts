import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { hookRoutes } from '#contract/hooks.ts';
import { API_PREFIX } from '#contract/route.ts';
import { projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { requestInvestigation } from '../error-reports.ts';
import { serve } from '../http.ts';
import { spend } from '../limits.ts';
import { ownAddress } from '../own-address.ts';
import { readErrorEvent } from './error-event.ts';
import { findHook, makeSecret, noteCall, removeHook } from './queries.ts';
import { isFromSender } from './signature.ts';

/** A sender that repeats itself must not keep the server busy. */
const PER_MINUTE = { max: 60, seconds: 60 };

/** Serves the feature `hooks`: what code hosts and error trackers tell of a project. */
export function registerHooks(app: FastifyInstance, deps: Deps): void {
  registerSettings(app, deps);

  serve(app, hookRoutes.push, async ({ params, request }) => {
    const { kind } = await admit(deps, params.id, request);
    const isPush = /^(?:push|push hook|tag push hook|tag_push|create|unknown)$/i.test(kind);
    if (isPush) deps.events.emit({ type: 'upstream-pushed', projectId: params.id });
    const outcome = isPush ? ('refreshing' as const) : ('ignored' as const);
    await noteCall(deps, params.id, kind, outcome);
    return { outcome };
  });

  serve(app, hookRoutes.errors, async ({ params, request }) => {
    const { hook, kind } = await admit(deps, params.id, request);
    const error = readErrorEvent(readJson(bytesOf(request)));
    const outcome = error && hook.user_id ? ('investigating' as const) : ('ignored' as const);
    if (error && hook.user_id) {
      await requestInvestigation(deps, { project_id: params.id, user_id: hook.user_id, ...error });
    }
    await noteCall(deps, params.id, kind === 'unknown' ? 'error' : kind, outcome);
    return { outcome };
  });
}

function registerSettings(app: FastifyInstance, deps: Deps): void {
  const present = async (id: string) => {
    const hook = await findHook(deps, id);
    const base = `${ownAddress(app, deps.config)}${API_PREFIX}/hooks/${id}`;
    const { last_at, last_kind, last_outcome } = hook ?? {};
    return {
      push_address: `${base}/push`,
      errors_address: `${base}/errors`,
      created_at: hook?.created_at.toISOString() ?? null,
      last: last_at
        ? { at: last_at.toISOString(), kind: last_kind ?? '', outcome: last_outcome ?? '' }
        : null,
    };
  };

  serve(app, hookRoutes.show, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    return await present(project.id);
  });

  serve(app, hookRoutes.create, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const secret = await makeSecret(deps, project.id, caller.userId);
    return { ...(await present(project.id)), secret };
  });

  serve(app, hookRoutes.remove, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await removeHook(deps, project.id);
    return { ok: true as const };
  });
}

/**
 * The hook of the project, if whoever calls knows its secret. A project that is not there, one without a hook and a wrong
 * secret are the same `not_found`.
 */
async function admit(deps: Deps, id: string, request: FastifyRequest) {
  const { headers } = request;
  const hook = await findHook(deps, id);
  if (!hook || !isFromSender(headers, bytesOf(request), hook.secret))
    throw new AppError('not_found', 'Nothing is here.');
  await spend(deps, `hook:${id}`, PER_MINUTE);
  const named = ['x-github-event', 'x-gitea-event', 'x-gitlab-event', 'sentry-hook-resource'];
  const kind = named.map((name) => headers[name]).find((value) => typeof value === 'string');
  return { hook, kind: String(kind ?? 'unknown').slice(0, 60) };
}

/** A raw route reads bytes; a request without a body has none. */
function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
