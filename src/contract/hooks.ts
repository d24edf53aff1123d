import { z } from 'zod';
import { done, id, timestamp } from './common.ts';
import { route } from './route.ts';

/** What comes in from outside for a project. */
export const projectHook = z.object({
  /** Where code hosts tell of a push, and where errors are reported. */
  push_address: z.string(),
  errors_address: z.string(),
  created_at: timestamp.nullable(),
  /** What came last and what was done about it; null where nothing has come. */
  last: z.object({ at: timestamp, kind: z.string(), outcome: z.string() }).nullable(),
});

const params = z.object({ id });
/** Answered at once; the work comes after. */
const accepted = z.object({ outcome: z.enum(['refreshing', 'investigating', 'ignored']) });
const MOST_BYTES = 2 * 2 ** 20;

export const hookRoutes = {
  show: route({
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
    summary: 'Make a new secret for webhooks; it is shown once, and an old one ends',
    params,
    reply: projectHook.extend({ secret: z.string() }),
    status: 201,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/hook',
    summary: 'Accept no more webhooks',
    params,
    reply: done,
  }),
  push: route({
    method: 'POST',
    path: '/hooks/:id/push',
    kind: 'raw',
    access: 'visitor',
    summary:
      'A push, as GitHub, GitLab and Gitea tell of it, signed with the secret: the project is refreshed',
    params,
    bodyLimit: 26 * 2 ** 20,
    reply: accepted,
    status: 202,
  }),
  errors: route({
    method: 'POST',
    path: '/hooks/:id/errors',
    kind: 'raw',
    access: 'visitor',
    summary: 'An error, as Sentry tells of it or as plain JSON, signed with the secret: it is investigated',
    params,
    bodyLimit: MOST_BYTES,
    reply: accepted,
    status: 202,
  }),
};
