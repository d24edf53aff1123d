import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { SessionsTable } from '#db/account-tables.ts';
import { newId } from '#db/ids.ts';
import type { Deps } from '../deps.ts';
import { accountDeactivated, unauthenticated } from '../identity/access.ts';
import { recordAuditEvent } from '../identity/audit-log.ts';
import { signToken, TOKEN_LIFETIME_S } from '../identity/signed-tokens.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { encodeRefreshToken, type RefreshTokenClaims } from './refresh-token.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A session unused for this long expires. */
export const IDLE_TIMEOUT_MS = 14 * DAY_MS;
const MAX_SESSION_AGE_MS = 30 * DAY_MS;
const MAX_SESSIONS_PER_USER = 20;

/** Reuse of the previous token is accepted for this long: concurrent tabs, a lost reply. */
const REUSE_GRACE_MS = 30_000;

type SessionDeps = Pick<Deps, 'db' | 'keys' | 'now' | 'events' | 'config'>;
type Session = Selectable<SessionsTable>;

/** Tokens of a session and the lifetime of its cookie. */
export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  remember: boolean;
  expiresAt: Date;
}

/** Creates a session. The least recently used ones beyond the limit are deleted. */
export async function createSession(
  deps: SessionDeps,
  userId: string,
  { remember, userAgent }: { remember: boolean; userAgent: string | undefined },
): Promise<SessionTokens> {
  const now = deps.now();
  const session = await deps.db
    .insertInto('sessions')
    .values({
      id: newId(),
      user_id: userId,
      remember,
      user_agent: userAgent?.slice(0, 300) ?? null,
      created_at: now,
      rotated_at: now,
      last_seen: now,
      expires_at: new Date(now.getTime() + MAX_SESSION_AGE_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy(sql`greatest(last_seen, rotated_at)`, 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_SESSIONS_PER_USER),
    )
    .execute();
  deps.events.emit({ type: 'signed-in', userId, sessionId: session.id });
  return await issueTokens(deps, session, session.counter);
}

/**
 * Exchanges a refresh token for the next pair. With n presented and c current:
 *
 *     n = c      increments the counter by compare-and-swap
 *     n = c - 1  within 30 s, or before the tokens of c are first used: returns c again (the reply was lost)
 *     n < c      token reuse: revokes the session, durably, although the reply is an error
 *     n > c      refused; happens after a backup was restored
 *
 * Throws `unauthenticated`, or `deactivated`.
 */
export async function refreshSession(
  deps: SessionDeps,
  { sessionId, counter }: RefreshTokenClaims,
): Promise<SessionTokens> {
  const rotated = await deps.db
    .transaction()
    .execute(async (trx) => await rotate({ ...deps, db: trx }, { sessionId, counter }));
  if (rotated) return await issueTokens(deps, rotated, rotated.counter);

  const now = deps.now();
  const session = await requireActiveSession(deps, sessionId);
  if (counter === session.counter - 1 && isRetryAllowed(session, now)) {
    return await issueTokens(deps, session, session.counter);
  }
  if (counter < session.counter) {
    await revokeSession(deps, sessionId);
    await recordAuditEvent(deps.db, { userId: session.user_id, event: 'refresh_token_reused' });
    deps.events.emit({ type: 'sign-in-copied', userId: session.user_id, sessionId });
  }
  throw unauthenticated();
}

/** Rate-limits only increments of the counter, so that concurrent tabs all receive the same successor. */
async function rotate(
  deps: SessionDeps,
  { sessionId, counter }: RefreshTokenClaims,
): Promise<Session | null> {
  const now = deps.now();
  const rotated = await deps.db
    .updateTable('sessions')
    .set({ counter: counter + 1, rotated_at: now })
    .where('id', '=', sessionId)
    .where('counter', '=', counter)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where(sql`greatest(last_seen, rotated_at)`, '>', new Date(now.getTime() - IDLE_TIMEOUT_MS))
    .where('user_id', 'in', (query) => query.selectFrom('users').select('id').where('is_active', '=', true))
    .returningAll()
    .executeTakeFirst();
  if (rotated) await consume(deps, `refresh:${sessionId}`, deps.config.limits.refreshPerSession);
  return rotated ?? null;
}

/** Revokes a session in all processes. Idempotent. */
export async function revokeSession(deps: SessionDeps, sessionId: string): Promise<void> {
  await deps.db
    .updateTable('sessions')
    .set({ revoked_at: deps.now() })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute();
  deps.events.emit({ type: 'session-ended', sessionId });
}

async function requireActiveSession({ db, now }: SessionDeps, sessionId: string): Promise<Session> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select('users.is_active')
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
  if (!row || row.revoked_at || row.expires_at <= now()) throw unauthenticated();
  if (!row.is_active) throw accountDeactivated();
  return row;
}

/** `last_seen` exceeds `rotated_at` from the first use of the current access token. */
function isRetryAllowed(session: Session, now: Date): boolean {
  const isUsed = session.last_seen > session.rotated_at;
  return !isUsed || now.getTime() - session.rotated_at.getTime() <= REUSE_GRACE_MS;
}

async function issueTokens(deps: SessionDeps, session: Session, counter: number): Promise<SessionTokens> {
  const bearer = { userId: session.user_id, sessionId: session.id, generation: counter };
  return {
    accessToken: await signToken({ keys: deps.keys, type: 'access', now: deps.now() }, bearer),
    refreshToken: encodeRefreshToken(deps.keys, { sessionId: session.id, counter }),
    expiresIn: TOKEN_LIFETIME_S.access,
    remember: session.remember,
    expiresAt: session.expires_at,
  };
}
