import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { SignedIn, secondFactorAsked } from '#contract/auth.ts';
import { deactivated } from '../access.ts';
import { audit, origin } from '../audit.ts';
import type { Deps } from '../deps.ts';
import { makeSecret } from '../one-time.ts';
import { presentProfile, type UserRow } from '../profile.ts';
import type { RefreshCookie } from './cookie.ts';
import { type Grant, startSession } from './sessions.ts';

/** What the parts of this feature share. */
export interface Auth {
  app: FastifyInstance;
  deps: Deps;
  cookie: RefreshCookie;
}

/** How somebody comes in. */
export interface Entry {
  remember: boolean;
  /** What opened the account, for the record: `password`, `github`, … */
  by: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Between the password and the code. */
const CHALLENGE_S = 5 * 60;

/**
 * Goes on for somebody who has shown one factor: lets them in, or asks for the second one. Throws `deactivated`.
 */
export async function arrive(
  auth: Auth,
  user: UserRow,
  entry: Entry,
): Promise<SignedIn | z.input<typeof secondFactorAsked>> {
  if (!user.is_active) throw deactivated();
  if (user.totp_secret === null) return await letIn(auth, user, entry);
  const challenge = await makeSecret(auth.deps, {
    purpose: 'second-factor',
    userId: user.id,
    data: { remember: entry.remember },
    seconds: CHALLENGE_S,
  });
  return { two_factor_required: true, challenge, expires_in: CHALLENGE_S };
}

/** Starts the sign-in and hands out its tokens, also as a cookie. An account that was to be deleted stays. */
export async function letIn({ deps, cookie }: Auth, user: UserRow, entry: Entry): Promise<SignedIn> {
  const { request, reply, remember, by } = entry;
  const from = origin(request);
  if (user.deletion_at !== null) {
    const kept = await deps.db
      .updateTable('users')
      .set({ deletion_at: null })
      .where('id', '=', user.id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (kept.numUpdatedRows === 0n) throw deactivated();
    await audit(deps.db, { userId: user.id, event: 'deletion_taken_back', ...from });
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'account_kept' });
  }
  const grant = await startSession(deps, user.id, { remember, userAgent: request.headers['user-agent'] });
  await audit(deps.db, { userId: user.id, event: 'signed_in', detail: { by }, ...from });
  cookie.write(reply, grant);
  return { ...presentGrant(grant), user: presentProfile(user, deps.config) };
}

/** Both tokens as the API shows them. */
export function presentGrant(grant: Grant) {
  return {
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    token_type: 'bearer' as const,
    expires_in: grant.expiresIn,
  };
}
