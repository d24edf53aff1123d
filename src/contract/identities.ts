import { z } from 'zod';
import { done, MAX_PAGE, timestamp } from './common.ts';
import { route } from './route.ts';

/** Services whose accounts can open one here, where the operator has set them up. */
export const service = z.enum(['github', 'google']);
export type Service = z.infer<typeof service>;

/** Where the browser is to be sent; the service sends it back to `/api/auth/social/:service/callback`. */
const elsewhere = z.object({ address: z.string() });

/** An account elsewhere that opens the caller's. */
export const identity = z.object({
  service,
  /** What the caller is called there. */
  name: z.string(),
  created_at: timestamp,
});

export const identityRoutes = {
  begin: route({
    method: 'POST',
    path: '/auth/social/:service',
    access: 'visitor',
    summary: 'Begin to sign in with an account of another service',
    params: z.object({ service }),
    body: z.object({
      /** The page to come back to. */
      next: z.string().max(2000).optional(),
      remember: z.boolean().optional(),
      invitation: z.string().max(200).optional(),
    }),
    reply: elsewhere,
  }),
  list: route({
    method: 'GET',
    path: '/auth/identities',
    summary: 'Accounts elsewhere that open the caller’s',
    reply: z.object({ identities: z.array(identity).max(MAX_PAGE), has_password: z.boolean() }),
  }),
  link: route({
    method: 'POST',
    path: '/auth/identities/:service',
    summary: 'Begin to connect an account of another service; asks for the password',
    params: z.object({ service }),
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: elsewhere,
  }),
  unlink: route({
    method: 'DELETE',
    path: '/auth/identities/:service',
    summary: 'Let an account of another service no longer open this one',
    params: z.object({ service }),
    reply: done,
  }),
};
