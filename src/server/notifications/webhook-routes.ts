import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuditName } from '#contract/audit.ts';
import { webhookRoutes } from '#contract/webhooks.ts';
import { parseWebUrl } from '#egress/send-message.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { WEBHOOK_QUEUE, type WebhookJob } from './deliver-webhooks.ts';
import {
  createWebhook,
  insertTestDelivery,
  listDeliveries,
  listWebhooks,
  requeueDelivery,
  requireWebhook,
  webhookBox,
} from './webhook-queries.ts';

/** Registers the `webhooks` routes, for owners of a project. */
export function registerWebhooks(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const owned = async (caller: Caller, id: string, options?: { evenIfReadOnly: boolean }) =>
    await projectAccess(deps, caller, id, 'owner', options);
  const present = async (projectId: string, id: string) =>
    (await listWebhooks(db, projectId)).find((webhook) => webhook.id === id)!;
  const audit = async (
    caller: Caller,
    request: FastifyRequest,
    event: AuditName,
    detail: Record<string, string>,
  ) => await recordAuditEvent(db, { userId: caller.userId, event, detail, ...clientInfo(request) });
  const queue = async (projectId: string, id: string) =>
    await deps.jobs.send<WebhookJob>(WEBHOOK_QUEUE, { projectId, id });

  serve(app, webhookRoutes.list, async ({ caller, params }) => {
    const { id } = await owned(caller, params.id, { evenIfReadOnly: true });
    return { webhooks: await listWebhooks(db, id) };
  });

  serve(app, webhookRoutes.create, async ({ caller, params, body, request }) => {
    const project = await owned(caller, params.id);
    const { href, host } = await checkUrl(deps, body.url);
    const { language } = await db
      .selectFrom('users')
      .select('language')
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    const values = { projectId: project.id, kind: body.kind, events: body.events, language };
    const { id, secret } = await createWebhook(deps, { ...values, url: href, host });
    await audit(caller, request, 'webhook_created', { project: project.name, host });
    return { ...(await present(project.id, id)), secret };
  });

  serve(app, webhookRoutes.update, async ({ caller, params, body, request }) => {
    const project = await owned(caller, params.id);
    const { id } = await requireWebhook(db, { projectId: project.id, id: params.webhook });
    const target = body.url === undefined ? null : await checkUrl(deps, body.url);
    await db
      .updateTable('webhooks')
      .set({
        ...(target && { host: target.host, sealed_url: webhookBox(deps).seal(target.href, id) }),
        ...(body.events && { events: JSON.stringify(body.events) }),
        ...(body.enabled !== undefined && { enabled: body.enabled }),
        id,
      })
      .where('project_id', '=', project.id)
      .where('id', '=', id)
      .execute();
    const changed = await present(project.id, id);
    await audit(caller, request, 'webhook_changed', { project: project.name, host: changed.host });
    return changed;
  });

  serve(app, webhookRoutes.remove, async ({ caller, params, request }) => {
    const project = await owned(caller, params.id, { evenIfReadOnly: true });
    const { id, host } = await requireWebhook(db, { projectId: project.id, id: params.webhook });
    await db.deleteFrom('webhooks').where('project_id', '=', project.id).where('id', '=', id).execute();
    await audit(caller, request, 'webhook_removed', { project: project.name, host });
    return { ok: true as const };
  });

  serve(app, webhookRoutes.test, async ({ caller, params }) => {
    const project = await owned(caller, params.id);
    const { id } = await requireWebhook(db, { projectId: project.id, id: params.webhook });
    const url = `${resolvePublicUrl(app, deps.config)}/projects/${project.id}`;
    const delivery = await insertTestDelivery(
      db,
      { projectId: project.id, id },
      { project: project.name, url },
    );
    await queue(project.id, delivery.id);
    return delivery;
  });

  serve(app, webhookRoutes.deliveries, async ({ caller, params, query }) => {
    const project = await owned(caller, params.id, { evenIfReadOnly: true });
    const { id } = await requireWebhook(db, { projectId: project.id, id: params.webhook });
    return await listDeliveries(db, { projectId: project.id, id }, query);
  });

  serve(app, webhookRoutes.redeliver, async ({ caller, params }) => {
    const project = await owned(caller, params.id);
    const { id } = await requireWebhook(db, { projectId: project.id, id: params.webhook });
    const delivery = await requeueDelivery(db, { projectId: project.id, id }, params.delivery);
    await queue(project.id, delivery.id);
    return delivery;
  });
}

/** Parses a URL that this server may reach. Throws `bad_request` otherwise. */
async function checkUrl({ egress }: Pick<Deps, 'egress'>, url: string) {
  const target = parseWebUrl(url);
  await egress.check(target);
  return target;
}
