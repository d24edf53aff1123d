import { z } from 'zod';
import { id, MAX_LIST, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

/** `read` looks and asks, `write` does all that its owner may do in projects. */
const keyScope = z.enum(['read', 'write']);
export type KeyScope = z.infer<typeof keyScope>;

/** Days after which a key may end. */
const KEY_LIFETIMES_DAYS = [30, 90, 365] as const;

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first characters, to tell keys apart. */
  prefix: z.string(),
  scope: keyScope,
  /** The one project that it opens; null for all of its owner's. */
  project: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  created_at: timestamp,
  /** Null: it lasts until it is revoked. */
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
});
export type ApiKeyRow = z.infer<typeof apiKey>;

const createKeyBody = z.object({
  name: z.string().trim().min(1, 'key_name_empty').max(100),
  scope: keyScope,
  project_id: id.nullish(),
  expires_in_days: z.literal(KEY_LIFETIMES_DAYS).nullish(),
  /** Asked for when the sign-in is older than ten minutes. */
  current_password: z.string().max(1024).optional(),
});

export const keyRoutes = {
  list: route({
    method: 'GET',
    path: '/keys',
    summary: "List the caller's API keys, newest first",
    reply: z.object({ keys: z.array(apiKey).max(MAX_LIST) }),
  }),
  create: route({
    method: 'POST',
    path: '/keys',
    summary: 'Create an API key; only this reply contains it',
    description:
      'A key travels as `Authorization: Bearer hs_…` and opens the calls about projects, search, debugging, history, chat and files. It never opens accounts, sign-ins, members, credentials or payments.',
    body: createKeyBody,
    reply: apiKey.extend({ key: z.string() }),
    status: 201,
  }),
  revoke: route({
    method: 'DELETE',
    path: '/keys/:id',
    allowedWhenDiskFull: true,
    summary: 'Revoke an API key',
    params: z.object({ id }),
    reply: okReply,
  }),
};
