import type { Deps } from '../deps.ts';
import { revokeSessions } from '../identity/end-sessions.ts';
import { consumeToken, findToken, revokeTokens } from '../identity/one-time-tokens.ts';
import type { UserRow } from '../identity/profile.ts';

/** User of a valid reset token; null when the token was used, has expired, or does not exist. */
export async function findResetUser(deps: Pick<Deps, 'db' | 'now'>, secret: string): Promise<UserRow | null> {
  const token = await findToken(deps, 'password_reset', secret);
  if (!token?.userId) return null;
  const row = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', token.userId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Consumes a reset token, sets the password, and revokes all sessions and outstanding tokens. Returns the ids of
 * the revoked sessions, or null when the token was already consumed.
 */
export async function completeReset(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  secret: string,
  passwordHash: string,
): Promise<string[] | null> {
  return await db.transaction().execute(async (trx) => {
    const used = await consumeToken({ db: trx, now }, 'password_reset', secret);
    return used?.userId ? await replacePassword({ db: trx, now }, used.userId, passwordHash) : null;
  });
}

/**
 * Sets the password and revokes what the previous one granted, except one session. Returns the ids of the revoked
 * sessions.
 */
export async function replacePassword(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  passwordHash: string,
  exceptSessionId: string | null = null,
): Promise<string[]> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await revokeTokens(db, 'password_reset', userId);
  // Pending second-factor challenges were issued for the previous password.
  await revokeTokens(db, 'two_factor', userId);
  return await revokeSessions({ db, now }, userId, exceptSessionId);
}
