import { z } from 'zod';
import { id, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

/** Tokens of one server. */
export const MAX_SCIM_TOKENS = 20;

const scimToken = z.object({
  id: z.string(),
  name: z.string(),
  /** First characters, by which a token is recognized. */
  prefix: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type ScimToken = z.infer<typeof scimToken>;

/** Tokens of directories, which provision accounts and teams at `/scim/v2`. */
export const scimTokenRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/scim-tokens',
    access: 'admin',
    summary: 'List SCIM tokens',
    reply: z.object({
      tokens: z.array(scimToken).max(MAX_SCIM_TOKENS),
      /** Base URL for the directory. */
      base_url: z.string(),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/admin/scim-tokens',
    allowedWhenDiskFull: true,
    access: 'admin',
    sameOrigin: true,
    summary: 'Create a SCIM token; only this reply contains it',
    body: z.object({ name: z.string().trim().min(1).max(60) }),
    reply: scimToken.extend({ token: z.string() }),
    status: 201,
  }),
  revoke: route({
    method: 'DELETE',
    path: '/admin/scim-tokens/:id',
    access: 'admin',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Revoke a SCIM token',
    params: z.object({ id }),
    reply: okReply,
  }),
};
