import type { FastifyInstance } from 'fastify';
import { hookRoutes } from '#contract/hooks.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { checkJsonBounds } from '../http/json-body.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { type RequestContext, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { queueInvestigation } from '../project-data/error-reports.ts';
import { parseErrorEvent } from './error-event.ts';
import { createHookSecret, deleteHook, findHook, recordDelivery } from './queries.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

/** Serves the feature `hooks`: what code hosts and error trackers tell of a project. */
export function registerHooks(app: FastifyInstance, deps: Deps): void {
  registerSettings(app, deps);

  const receiver = createWebhookReceiver(deps);

  const push = async ({ params, request }: RequestContext<typeof hookRoutes.push>) => {
    const { kind } = await receiver.admit(request);
    const isPush = /^(?:push|push hook|tag push hook|tag_push|create|unknown)$/i.test(kind);
    if (isPush) deps.events.emit({ type: 'upstream-pushed', projectId: params.id });
    const outcome = isPush ? ('refreshing' as const) : ('ignored' as const);
    await recordDelivery(deps, params.id, kind, outcome);
    return { outcome };
  };
  serve(app, hookRoutes.push, push, receiver.options({ keepsBody: false }));

  const errors = async ({ params, request }: RequestContext<typeof hookRoutes.errors>) => {
    const { hook, kind, body } = await receiver.admit(request);
    const error = parseErrorEvent(readJson(body));
    const outcome = error && hook.user_id ? ('investigating' as const) : ('ignored' as const);
    if (error && hook.user_id) {
      await queueInvestigation(deps, { project_id: params.id, user_id: hook.user_id, ...error });
    }
    await recordDelivery(deps, params.id, kind === 'unknown' ? 'error' : kind, outcome);
    return { outcome };
  };
  serve(app, hookRoutes.errors, errors, receiver.options({ keepsBody: true }));
}

function registerSettings(app: FastifyInstance, deps: Deps): void {
  const present = async (id: string) => {
    const hook = await findHook(deps, id);
    const base = `${resolvePublicUrl(app, deps.config)}${API_PREFIX}/hooks/${id}`;
    const { last_delivery_at, last_event, last_outcome } = hook ?? {};
    return {
      push_url: `${base}/push`,
      errors_url: `${base}/errors`,
      created_at: hook?.created_at.toISOString() ?? null,
      last_delivery: last_delivery_at
        ? { at: last_delivery_at.toISOString(), event: last_event ?? '', outcome: last_outcome ?? '' }
        : null,
    };
  };

  serve(app, hookRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    return await present(project.id);
  });

  serve(app, hookRoutes.create, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const secret = await createHookSecret(deps, project.id, caller.userId);
    return { ...(await present(project.id)), secret };
  });

  serve(app, hookRoutes.remove, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await deleteHook(deps, project.id);
    return { ok: true as const };
  });
}

function readJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8');
    checkJsonBounds(text);
    return JSON.parse(text);
  } catch {
    return null;
  }
}
