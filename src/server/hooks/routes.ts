import type { FastifyInstance } from 'fastify';
import { hookRoutes } from '#contract/hooks.ts';
import { checkJsonBounds } from '#contract/json-bounds.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { type RequestContext, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { queueInvestigation } from '../project-data/error-reports.ts';
import { parseErrorEvent } from './error-event.ts';
import { createHookSecret, deleteHook, findHook, recordDelivery } from './queries.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

/** Registers the `hooks` routes: webhooks of code hosts and error trackers. */
export function registerHooks(app: FastifyInstance, deps: Deps): void {
  registerHookSettings(app, deps);

  const receiver = createWebhookReceiver(deps);

  const receivePush = async ({ params, request }: RequestContext<typeof hookRoutes.push>) => {
    const { eventName } = await receiver.authenticate(request);
    const isPush = /^(?:push|push hook|tag push hook|tag_push|create|unknown)$/i.test(eventName);
    if (isPush) deps.events.emit({ type: 'upstream-pushed', projectId: params.id });
    const isPullRequest =
      /^(?:pull_request\w*|merge request hook|check_(?:suite|run)|status|pipeline hook)$/i.test(eventName);
    if (isPullRequest) deps.events.emit({ type: 'pull-request-changed', projectId: params.id });
    const outcome = isPush ? 'refresh_queued' : isPullRequest ? 'pull_request_queued' : 'ignored';
    await recordDelivery(deps, params.id, eventName, outcome);
    return { outcome } as const;
  };
  serve(app, hookRoutes.push, receivePush, receiver.options({ needsBody: false }));

  const receiveError = async ({ params, request }: RequestContext<typeof hookRoutes.errors>) => {
    const { hook, eventName, body } = await receiver.authenticate(request);
    const error = parseErrorEvent(parseJson(body));
    const outcome = error && hook.user_id ? ('debug_queued' as const) : ('ignored' as const);
    if (error && hook.user_id) {
      await queueInvestigation(deps, { project_id: params.id, user_id: hook.user_id, ...error });
    }
    await recordDelivery(deps, params.id, eventName === 'unknown' ? 'error' : eventName, outcome);
    return { outcome };
  };
  serve(app, hookRoutes.errors, receiveError, receiver.options({ needsBody: true }));
}

function registerHookSettings(app: FastifyInstance, deps: Deps): void {
  const presentHook = async (id: string) => {
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
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    return await presentHook(project.id);
  });

  serve(app, hookRoutes.create, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const secret = await createHookSecret(deps, project.id, caller.userId);
    return { ...(await presentHook(project.id)), secret };
  });

  serve(app, hookRoutes.remove, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    await deleteHook(deps, project.id);
    return { ok: true as const };
  });
}

function parseJson(body: Buffer): unknown {
  try {
    const text = body.toString('utf8');
    checkJsonBounds(text);
    return JSON.parse(text);
  } catch {
    return null;
  }
}
