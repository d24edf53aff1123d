import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import type { UserRow } from '../profile.ts';
import { revokeSessions } from './sessions.ts';

/** How long a link in a letter works. */
const RESET_LIFETIME_S = 30 * 60;

type Needs = Pick<Deps, 'db' | 'now'>;

/** Makes what the link of a letter carries: 256 bits, of which only the digest is stored. */
export async function makeReset({ db, now }: Needs, userId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const time = now();
  await db.deleteFrom('password_resets').where('expires_at', '<=', time).execute();
  await db
    .insertInto('password_resets')
    .values({
      digest: digestOf(secret),
      user_id: userId,
      expires_at: new Date(time.getTime() + RESET_LIFETIME_S * 1000),
    })
    .execute();
  return secret;
}

/** The user whom a link still stands for; null when it was used, is over, or never was. */
export async function findReset({ db, now }: Needs, secret: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .selectAll('users')
    .where('password_resets.digest', '=', digestOf(secret))
    .where('password_resets.expires_at', '>', now())
    .where('users.is_active', '=', true)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Uses a link up: sets the password, ends every sign-in and every other link of the account. Returns the ids of the
 * ended sessions, or null when somebody else was quicker with the same link.
 */
export async function useReset(
  { db, now }: Needs,
  secret: string,
  passwordHash: string,
): Promise<string[] | null> {
  return await db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('password_resets')
      .where('digest', '=', digestOf(secret))
      .where('expires_at', '>', now())
      .returning('user_id')
      .executeTakeFirst();
    return used ? await replacePassword({ db: trx, now }, used.user_id, passwordHash) : null;
  });
}

/** Sets a password and ends what the old one opened, but for one session; returns the ids of the ended ones. */
export async function replacePassword(
  { db, now }: Needs,
  userId: string,
  passwordHash: string,
  keep: string | null = null,
): Promise<string[]> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
  return await revokeSessions({ db, now }, userId, keep);
}

/** The name under which a link is stored and its tries are counted. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
