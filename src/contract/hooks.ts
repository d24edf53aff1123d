import { z } from 'zod';
import { id, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

/** Incoming webhooks of a project. */
const projectHook = z.object({
  /** URLs for push events of code hosts and for error reports. */
  push_url: z.string(),
  errors_url: z.string(),
  created_at: timestamp.nullable(),
  /** The most recent delivery and its outcome; null before the first. */
  last_delivery: z.object({ at: timestamp, event: z.string(), outcome: z.string() }).nullable(),
});

const params = z.object({ id });
/** Sent before the work starts. */
const accepted = z.object({
  outcome: z.enum(['refresh_queued', 'pull_request_queued', 'debug_queued', 'ignored']),
});
/** Of a webhook; what code hosts send of a push is smaller, but for rare ones that they cut themselves. */
const MAX_HOOK_BYTES = 2 ** 20;

const incoming = { kind: 'raw', access: 'visitor', feature: 'webhooks', bodyLimit: MAX_HOOK_BYTES } as const;

export const hookRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/hook',
    summary:
      'The addresses for webhooks of the project, and what came last; `created_at` is null without a secret',
    params,
    reply: projectHook,
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/hook',
    summary: 'Create a webhook secret, shown once; replaces the previous one',
    params,
    reply: projectHook.extend({ secret: z.string() }),
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/hook',
    allowedWhenDiskFull: true,
    summary: 'Disable webhooks',
    params,
    reply: okReply,
  }),
  push: route({
    method: 'POST',
    path: '/hooks/:id/push',
    ...incoming,
    summary:
      'A push, as GitHub, GitLab and Gitea tell of it, signed with the secret: the project is refreshed',
    params,
    reply: accepted,
    status: 202,
  }),
  errors: route({
    method: 'POST',
    path: '/hooks/:id/errors',
    ...incoming,
    summary:
      'Receive an error event (Sentry format or plain JSON), signed with the webhook secret, and investigate it',
    params,
    reply: accepted,
    status: 202,
  }),
};
