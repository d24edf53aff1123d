import { z } from 'zod';
import { okReply } from './common.ts';
import { oauthProviderName } from './identities.ts';
import { route } from './route.ts';

/** Issuers of one server. */
export const MAX_ISSUERS = 20;

const issuerId = oauthProviderName.refine((id) => id !== 'github' && id !== 'google', 'issuer_id_reserved');

/** Settings of an issuer without its secret, as `OIDC_ISSUERS` and the admin page have them. */
const issuerFields = z.object({
  /** Shown on the sign-in button. */
  name: z.string().trim().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: z.string().trim().min(1).max(300),
  /** Scopes of the request, separated by spaces. */
  scopes: z
    .string()
    .trim()
    .max(300)
    .regex(/(^|\s)openid(\s|$)/, 'scopes_openid')
    .default('openid email profile'),
  /** Claim with the names of the user's groups. */
  groups_claim: z.string().trim().min(1).max(200).default('groups'),
  /** Groups whose members are administrators. */
  admin_groups: z.array(z.string().trim().min(1).max(200)).max(20).default([]),
});

const client_secret = z.string().min(1).max(1000);

/** An issuer as `OIDC_ISSUERS` names it. */
export const configuredIssuers = z
  .array(issuerFields.extend({ id: issuerId, client_secret }))
  .max(MAX_ISSUERS);

const signInProvider = issuerFields.extend({
  id: z.string(),
  /** Set by the operator in `OIDC_ISSUERS`, or here. */
  source: z.enum(['environment', 'administrator']),
  /** Redirect URI to register at the issuer. */
  callback_url: z.string(),
});
export type SignInProvider = z.infer<typeof signInProvider>;

const params = z.object({ id: issuerId });

export const signInProviderRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/sign-in-providers',
    access: 'admin',
    summary: 'List OpenID Connect issuers',
    reply: z.object({ providers: z.array(signInProvider).max(2 * MAX_ISSUERS) }),
  }),
  save: route({
    method: 'PUT',
    path: '/admin/sign-in-providers/:id',
    allowedWhenDiskFull: true,
    access: 'admin',
    sameOrigin: true,
    summary: 'Add or change an OpenID Connect issuer; its discovery document is loaded first',
    description: 'Without `client_secret` the stored one stays. The URL of an issuer cannot change.',
    params,
    body: issuerFields.extend({ client_secret: client_secret.optional() }),
    reply: signInProvider,
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/sign-in-providers/:id',
    access: 'admin',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Delete an OpenID Connect issuer with the links of its accounts',
    params,
    reply: okReply,
  }),
};
