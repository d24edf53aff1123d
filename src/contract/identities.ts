import { z } from 'zod';
import { MAX_PAGE, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

/** Name of a sign-in provider: `github`, `google`, or the id of an OpenID Connect issuer. */
export const oauthProviderName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'provider_id_format');
export type OAuthProviderName = z.infer<typeof oauthProviderName>;

/** Authorization URL of the provider, which redirects to `/api/auth/social/:provider/callback`. */
const oauthRedirect = z.object({ url: z.string() });

/** A linked account of an OAuth provider. */
const identity = z.object({
  provider: oauthProviderName,
  /** Username at the provider. */
  name: z.string(),
  created_at: timestamp,
});

export const identityRoutes = {
  startOAuth: route({
    method: 'POST',
    path: '/auth/social/:provider',
    sameOrigin: true,
    rateLimits: [{ bucket: 'login', limit: 'loginPerIp', per: 'ip' }],
    allowedWhenDiskFull: true,
    access: 'visitor',
    summary: 'Start sign-in with a provider',
    params: z.object({ provider: oauthProviderName }),
    body: z.object({
      /** Page to return to. */
      next: z.string().max(2000).optional(),
      remember: z.boolean().optional(),
      invitation_token: z.string().max(200).optional(),
    }),
    reply: oauthRedirect,
  }),
  list: route({
    method: 'GET',
    path: '/auth/identities',
    allowedWithoutSecondFactor: true,
    summary: "List sign-in providers linked to the caller's account",
    reply: z.object({ identities: z.array(identity).max(MAX_PAGE), has_password: z.boolean() }),
  }),
  link: route({
    method: 'POST',
    path: '/auth/identities/:provider',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Start linking a sign-in provider; requires the password',
    params: z.object({ provider: oauthProviderName }),
    body: z.object({ current_password: z.string().max(1024).optional() }),
    reply: oauthRedirect,
  }),
  unlink: route({
    method: 'DELETE',
    path: '/auth/identities/:provider',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Unlink a sign-in provider',
    params: z.object({ provider: oauthProviderName }),
    reply: okReply,
  }),
};
