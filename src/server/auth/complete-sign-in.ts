import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { SignedIn, twoFactorChallenge } from '#contract/auth.ts';
import type { Deps } from '../deps.ts';
import { accountDeactivated } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { issueToken } from '../identity/one-time-tokens.ts';
import { presentOwnProfile, type UserRow } from '../identity/profile.ts';
import type { RefreshCookie } from './auth-cookies.ts';
import { createSession, type SessionTokens } from './session-tokens.ts';

/** Shared by the routes of this feature. */
export interface AuthContext {
  app: FastifyInstance;
  deps: Deps;
  cookie: RefreshCookie;
}

/** Request data that a completed sign-in needs. */
interface SignInContext {
  remember: boolean;
  /** Authentication method for the audit log: `password`, `github`, … */
  method: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Lifetime of the challenge between the password and the second factor. */
const CHALLENGE_TTL_S = 5 * 60;

/**
 * Continues after the first factor: issues a session, or returns a challenge for the second factor. Throws
 * `deactivated`.
 */
export async function continueSignIn(
  auth: AuthContext,
  user: UserRow,
  context: SignInContext,
): Promise<SignedIn | z.input<typeof twoFactorChallenge>> {
  if (!user.is_active) throw accountDeactivated();
  if (user.totp_secret === null) return await issueSession(auth, user, context);
  const challenge = await issueToken(auth.deps, {
    purpose: 'two_factor',
    userId: user.id,
    data: { remember: context.remember },
    seconds: CHALLENGE_TTL_S,
  });
  return { two_factor_required: true, challenge, expires_in: CHALLENGE_TTL_S };
}

/** Creates a session and returns its tokens, also as a cookie. Cancels a pending account deletion. */
export async function issueSession(
  { deps, cookie }: AuthContext,
  user: UserRow,
  context: SignInContext,
): Promise<SignedIn> {
  const { request, reply, remember, method } = context;
  const client = clientInfo(request);
  if (user.deletion_at !== null) {
    const restored = await deps.db
      .updateTable('users')
      .set({ deletion_at: null })
      .where('id', '=', user.id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (restored.numUpdatedRows === 0n) throw accountDeactivated();
    await recordAuditEvent(deps.db, { userId: user.id, event: 'deletion_canceled', ...client });
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'deletion_canceled' });
  }
  const grant = await createSession(deps, user.id, { remember, userAgent: request.headers['user-agent'] });
  await recordAuditEvent(deps.db, { userId: user.id, event: 'signed_in', detail: { by: method }, ...client });
  cookie.write(reply, grant);
  return { ...presentTokens(grant), user: await presentOwnProfile(deps, user) };
}

/** Formats the tokens as the API returns them. */
export function presentTokens(grant: SessionTokens) {
  return {
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    token_type: 'bearer' as const,
    expires_in: grant.expiresIn,
  };
}
