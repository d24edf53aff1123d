import { z } from 'zod';
import { id, MAX_PAGE, okReply, paging, timestamp } from './common.ts';
import { route } from './route.ts';

/** Receivers: Standard Webhooks, or the incoming webhooks of a chat. */
const webhookKind = z.enum(['standard', 'slack', 'teams', 'discord']);
export type WebhookKind = z.infer<typeof webhookKind>;

/** Events that a webhook can subscribe to. */
const WEBHOOK_EVENTS = [
  'error.new',
  'error.regressed',
  'error.assigned',
  'fix.suggested',
  'fix.undone',
  'fix.changed',
  'project.indexed',
  'project.failed',
  'payment.failed',
  'trial.ending',
  'budget.used',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Webhooks of one project. */
export const MAX_WEBHOOKS = 20;

const events = z.array(z.enum(WEBHOOK_EVENTS)).min(1, 'webhook_events_empty').max(WEBHOOK_EVENTS.length);
const url = z
  .url({ protocol: /^https?$/, error: 'webhook_url_format' })
  .max(2048)
  .refine((value) => URL.parse(value)?.username === '', 'webhook_url_format');

const webhook = z.object({
  id: z.string(),
  kind: webhookKind,
  /** Host of the URL; the rest may be a secret and is not shown again. */
  host: z.string(),
  events,
  enabled: z.boolean(),
  created_at: timestamp,
  /** Most recent finished delivery; null before the first. */
  last_delivery: z.object({ at: timestamp, ok: z.boolean(), status: z.number().nullable() }).nullable(),
});
export type Webhook = z.infer<typeof webhook>;

const delivery = z.object({
  id: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, 'test']),
  state: z.enum(['queued', 'delivered', 'failed']),
  attempts: z.number(),
  /** Status of the last reply; null without one. */
  status: z.number().nullable(),
  /** Why the last attempt failed, in English; null where it did not. */
  problem: z.string().max(500).nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
export type WebhookDelivery = z.infer<typeof delivery>;

const params = z.object({ id, webhook: id });

export const webhookRoutes = {
  list: route({
    method: 'GET',
    path: '/projects/:id/webhooks',
    summary: 'List outgoing webhooks of a project',
    params: z.object({ id }),
    reply: z.object({ webhooks: z.array(webhook).max(MAX_WEBHOOKS) }),
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/webhooks',
    sameOrigin: true,
    summary: 'Create an outgoing webhook',
    description:
      'The secret of the kind `standard` is in the reply only. Requests have the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`).',
    params: z.object({ id }),
    body: z.object({ kind: webhookKind.default('standard'), url, events }),
    reply: webhook.extend({ secret: z.string().nullable() }),
    status: 201,
  }),
  update: route({
    method: 'PATCH',
    path: '/projects/:id/webhooks/:webhook',
    sameOrigin: true,
    summary: 'Change the URL or events of an outgoing webhook, or enable or disable it',
    params,
    body: z.object({ url: url.optional(), events: events.optional(), enabled: z.boolean().optional() }),
    reply: webhook,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/webhooks/:webhook',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Delete an outgoing webhook with its deliveries',
    params,
    reply: okReply,
  }),
  test: route({
    method: 'POST',
    path: '/projects/:id/webhooks/:webhook/test',
    sameOrigin: true,
    summary: 'Send a test event',
    rateLimits: [{ bucket: 'webhook-tests', limit: 'credentialTestsPerUser', per: 'user' }],
    params,
    reply: delivery,
    status: 202,
  }),
  deliveries: route({
    method: 'GET',
    path: '/projects/:id/webhooks/:webhook/deliveries',
    summary: 'List deliveries of an outgoing webhook, newest first',
    params,
    query: paging,
    reply: z.object({ deliveries: z.array(delivery).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  redeliver: route({
    method: 'POST',
    path: '/projects/:id/webhooks/:webhook/deliveries/:delivery',
    sameOrigin: true,
    summary: 'Send a delivery again, with the same id and body',
    rateLimits: [{ bucket: 'webhook-tests', limit: 'credentialTestsPerUser', per: 'user' }],
    params: params.extend({ delivery: id }),
    reply: delivery,
    status: 202,
  }),
};
