import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { identityRoutes, oauthProviderName } from '#contract/identities.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps, OidcIssuer } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { applyGroups } from '../identity/group-mapping.ts';
import { consumeToken, issueToken, type TokenData } from '../identity/one-time-tokens.ts';
import type { UserRow } from '../identity/profile.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { consume, ipKey } from '../rate-limit/rate-limiter.ts';
import { createStateCookie } from './auth-cookies.ts';
import { type AuthContext, continueSignIn } from './complete-sign-in.ts';
import { oauthCallbackUrl } from './issuer-routes.ts';
import { linkIdentity, resolveAccount } from './oauth-identities.ts';
import type { ExternalProfile } from './providers/oauth-provider.ts';
import { type ConfiguredProvider, createProviders, type FindProvider } from './sign-in-providers.ts';

/** Lifetime of a started authorization. */
const STATE_TTL_S = 10 * 60;

/** Serves sign-in with external accounts, and linking them. */
export function serveOAuth(auth: AuthContext): void {
  const findProvider = createProviders(auth.deps);
  serveOAuthStart(auth, findProvider);
  serveCallback(auth, findProvider);
  serveIdentities(auth);
}

function serveOAuthStart(auth: AuthContext, findProvider: FindProvider): void {
  const { app, deps } = auth;
  serve(app, identityRoutes.startOAuth, async ({ params, body, reply }) => {
    const { next = null, remember = false, invitation_token: invitation = null } = body;
    const start = { next, remember, invitation, linkTo: null };
    return { url: await startOAuth(auth, findProvider, { provider: params.provider, ...start }, reply) };
  });

  serve(app, identityRoutes.link, async ({ caller, params, body, request, reply }) => {
    await requireReauthentication(app, deps, caller, { ...body, ip: request.ip });
    const start = { next: '/settings', remember: false, invitation: null, linkTo: caller.userId };
    return { url: await startOAuth(auth, findProvider, { provider: params.provider, ...start }, reply) };
  });
}

type OAuthStart = Omit<TokenData['oauth'], 'verifier' | 'nonce'>;

/**
 * Stores the authorization request under a `state` bound to this browser, and returns the URL of the authorization
 * page.
 */
async function startOAuth(
  auth: AuthContext,
  findProvider: FindProvider,
  start: OAuthStart,
  reply: FastifyReply,
): Promise<string> {
  const { app, deps } = auth;
  const { provider: name, ...rest } = start;
  const { client } = await findProvider(name);
  const [verifier, nonce] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const state = await issueToken(deps, {
    purpose: 'oauth',
    userId: start.linkTo,
    data: { ...rest, provider: name, verifier, nonce },
    seconds: STATE_TTL_S,
  });
  createStateCookie(deps).write(reply, state, STATE_TTL_S);
  try {
    return await client.authorizeUrl({
      state,
      nonce,
      codeVerifier: verifier,
      redirectUri: oauthCallbackUrl(app, deps, name),
    });
  } catch (cause) {
    app.log.warn({ err: cause }, 'OAuth authorization URL failed');
    throw new AppError('unavailable', 'oauth_provider_unavailable', { cause });
  }
}

/**
 * OAuth redirect endpoint. It is not part of the contract: it always redirects to a page that shows the outcome.
 */
function serveCallback(auth: AuthContext, findProvider: FindProvider): void {
  const { app, deps } = auth;
  app.get(`${API_PREFIX}/auth/social/:provider/callback`, async (request, reply) => {
    createStateCookie(deps).clear(reply);
    try {
      return await reply.redirect(await handleCallback(auth, findProvider, request, reply), 303);
    } catch (error) {
      const reason = error instanceof AppError ? (error.reason ?? error.code) : 'provider_failed';
      if (!(error instanceof AppError)) request.log.warn({ err: error }, 'OAuth callback failed');
      return await reply.redirect(`/login?social=${reason}`, 303);
    }
  });
}

async function handleCallback(
  auth: AuthContext,
  findProvider: FindProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { app, deps } = auth;
  await consume(deps, `login:${ipKey(request.ip)}`, deps.config.limits.loginPerIp);
  const { provider: param } = request.params as { provider: string };
  const { code, state, iss } = request.query as Record<string, unknown>;
  const name = oauthProviderName.safeParse(param).data;
  if (!name || typeof state !== 'string' || createStateCookie(deps).read(request) !== state)
    throw stateMismatch();
  const pending = await consumeToken(deps, 'oauth', state);
  if (!pending || pending.data.provider !== name) throw stateMismatch();
  if (typeof code !== 'string')
    throw new AppError('bad_request', 'oauth_denied', { reason: 'access_denied' });

  const { verifier, nonce, linkTo, invitation, next, remember } = pending.data;
  const redirectUri = oauthCallbackUrl(app, deps, name);
  const provider = await findProvider(name);
  const response = { code, issuer: typeof iss === 'string' ? iss : null };
  const external = await provider.client.fetchProfile(response, {
    codeVerifier: verifier,
    nonce,
    redirectUri,
  });
  const profile = bindToIssuer(external, provider);
  if (linkTo !== null) {
    try {
      await linkIdentity(deps, linkTo, { provider: name, profile, request });
      return '/settings?linked=done';
    } catch (error) {
      if (error instanceof AppError && error.reason) return `/settings?linked=${error.reason}`;
      throw error;
    }
  }
  const account = await resolveAccount(deps, { provider: name, profile, invitation, request });
  const user = await applyClaims(deps, account, { profile, issuer: provider.issuer });
  const result = await continueSignIn(auth, user, { remember, method: name, request, reply });
  const nextParam = next === null ? '' : `&next=${encodeURIComponent(next)}`;
  // The challenge is in the fragment, which is never logged; the page obtains the access token with the cookie.
  return 'challenge' in result
    ? `/login?social=code${nextParam}#${result.challenge}`
    : `/login?social=in${nextParam}`;
}

function serveIdentities({ app, deps }: AuthContext): void {
  serve(app, identityRoutes.list, async ({ caller }) => {
    const rows = await deps.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('provider')
      .execute();
    return {
      identities: rows.map((row) => ({
        provider: row.provider,
        name: row.name,
        created_at: row.created_at.toISOString(),
      })),
      has_password: await hasPassword(deps, caller.userId),
    };
  });

  serve(app, identityRoutes.unlink, async ({ caller, params, request }) => {
    const otherIdentities = await deps.db
      .selectFrom('identities')
      .select('provider')
      .where('user_id', '=', caller.userId)
      .where('provider', '<>', params.provider)
      .execute();
    if (otherIdentities.length === 0 && !(await hasPassword(deps, caller.userId))) {
      throw new AppError('conflict', 'last_sign_in_method', {
        reason: 'last_sign_in_method',
      });
    }
    const removed = await deps.db
      .deleteFrom('identities')
      .where('user_id', '=', caller.userId)
      .where('provider', '=', params.provider)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new AppError('not_found', 'external_account_not_found');
    const detail = { provider: params.provider, name: removed.name };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'identity_unlinked',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });
}

async function hasPassword({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return user.password_hash !== null;
}

/** Applies the groups of a profile, if the issuer names them and the account is active. */
async function applyClaims(
  deps: Deps,
  user: UserRow,
  { profile, issuer }: { profile: ExternalProfile; issuer: OidcIssuer | null },
): Promise<UserRow> {
  if (!issuer || profile.groups === null || !user.is_active) return user;
  const { id: provider, adminGroups } = issuer;
  return await applyGroups(deps, user, { provider, groups: profile.groups, adminGroups });
}

/** Subjects of OpenID Connect are unique within their issuer only, and settings may give its id to another one. */
function bindToIssuer(profile: ExternalProfile, { issuer }: ConfiguredProvider): ExternalProfile {
  return issuer ? { ...profile, subject: `${issuer.issuer} ${profile.subject}` } : profile;
}

function stateMismatch(): AppError {
  return new AppError('bad_request', 'oauth_state_mismatch', {
    reason: 'state_mismatch',
  });
}
