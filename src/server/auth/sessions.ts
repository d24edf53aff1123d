import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { SessionsTable } from '#db/account-tables.ts';
import { newId } from '#db/ids.ts';
import { deactivated, signedOut } from '../access.ts';
import { audit } from '../audit.ts';
import type { Deps } from '../deps.ts';
import { consume } from '../limits.ts';
import { LIFETIME_S, sign } from '../signed.ts';
import { type RefreshPlace, writeRefreshToken } from './refresh-token.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A sign-in that nobody uses ends after this. */
export const IDLE_MS = 14 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
const SESSIONS_PER_USER = 20;

/** How long the parent of the current token is answered again without a question: two tabs, a lost reply. */
const GRACE_MS = 30_000;

type Needs = Pick<Deps, 'db' | 'keys' | 'now' | 'events' | 'config'>;
type Session = Selectable<SessionsTable>;

/** Both tokens of a session, and how its cookie is to be kept. */
export interface Grant {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  remember: boolean;
  expiresAt: Date;
}

/** Starts a sign-in; a user's oldest ones beyond twenty end. */
export async function startSession(
  deps: Needs,
  userId: string,
  { remember, userAgent }: { remember: boolean; userAgent: string | undefined },
): Promise<Grant> {
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
      expires_at: new Date(now.getTime() + ABSOLUTE_MS),
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
        .limit(SESSIONS_PER_USER),
    )
    .execute();
  deps.events.emit({ type: 'signed-in', userId, sessionId: session.id });
  return await grant(deps, session, session.counter);
}

/**
 * Exchanges a refresh token for the next pair. With n presented and c current:
 *
 *     n = c      the counter moves on, by compare-and-swap
 *     n = c - 1  within 30 s, or while nobody has used what c came with: c again (the reply was lost)
 *     n < c      otherwise somebody holds a copy: the session ends, durably, although the reply is an error
 *     n > c      refused; happens after a backup was restored
 *
 * Throws `unauthenticated`, or `deactivated`.
 */
export async function renewSession(deps: Needs, { sessionId, counter }: RefreshPlace): Promise<Grant> {
  const rotated = await deps.db
    .transaction()
    .execute(async (trx) => await rotate({ ...deps, db: trx }, { sessionId, counter }));
  if (rotated) return await grant(deps, rotated, rotated.counter);

  const now = deps.now();
  const session = await standingSession(deps, sessionId);
  if (counter === session.counter - 1 && mayAskAgain(session, now)) {
    return await grant(deps, session, session.counter);
  }
  if (counter < session.counter) {
    await endSession(deps, sessionId);
    await audit(deps.db, { userId: session.user_id, event: 'sign_in_copied' });
    deps.events.emit({ type: 'sign-in-copied', userId: session.user_id, sessionId });
  }
  throw signedOut();
}

/** Only what moves the counter on is limited: however many tabs ask at once, they get one successor and all get it. */
async function rotate(deps: Needs, { sessionId, counter }: RefreshPlace): Promise<Session | null> {
  const now = deps.now();
  const rotated = await deps.db
    .updateTable('sessions')
    .set({ counter: counter + 1, rotated_at: now })
    .where('id', '=', sessionId)
    .where('counter', '=', counter)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where(sql`greatest(last_seen, rotated_at)`, '>', new Date(now.getTime() - IDLE_MS))
    .where('user_id', 'in', (query) => query.selectFrom('users').select('id').where('is_active', '=', true))
    .returningAll()
    .executeTakeFirst();
  if (rotated) await consume(deps, `refresh:${sessionId}`, deps.config.limits.refreshPerSession);
  return rotated ?? null;
}

/** Ends a sign-in everywhere at once; ending it twice is no error. */
export async function endSession(deps: Needs, sessionId: string): Promise<void> {
  await deps.db
    .updateTable('sessions')
    .set({ revoked_at: deps.now() })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute();
  deps.events.emit({ type: 'session-ended', sessionId });
}

async function standingSession({ db, now }: Needs, sessionId: string): Promise<Session> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select('users.is_active')
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
  if (!row || row.revoked_at || row.expires_at <= now()) throw signedOut();
  if (!row.is_active) throw deactivated();
  return row;
}

/** `last_seen` passes `rotated_at` with the first use of what the current token came with. */
function mayAskAgain(session: Session, now: Date): boolean {
  const isUsed = session.last_seen > session.rotated_at;
  return !isUsed || now.getTime() - session.rotated_at.getTime() <= GRACE_MS;
}

async function grant(deps: Needs, session: Session, counter: number): Promise<Grant> {
  const bearer = { userId: session.user_id, sessionId: session.id, generation: counter };
  return {
    accessToken: await sign({ keys: deps.keys, type: 'access', now: deps.now() }, bearer),
    refreshToken: writeRefreshToken(deps.keys, { sessionId: session.id, counter }),
    expiresIn: LIFETIME_S.access,
    remember: session.remember,
    expiresAt: session.expires_at,
  };
}
