import type { Deps } from '../deps.ts';
import { dropSecrets, findSecret, takeSecret } from '../one-time.ts';
import type { UserRow } from '../profile.ts';
import { revokeSessions } from '../sign-out.ts';

type Needs = Pick<Deps, 'db' | 'now'>;

/** The user whom a link still stands for; null when it was used, is over, or never was. */
export async function findReset(deps: Needs, secret: string): Promise<UserRow | null> {
  const found = await findSecret(deps, 'password', secret);
  if (!found?.userId) return null;
  const row = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', found.userId)
    .where('is_active', '=', true)
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
    const used = await takeSecret({ db: trx, now }, 'password', secret);
    return used?.userId ? await replacePassword({ db: trx, now }, used.userId, passwordHash) : null;
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
  await dropSecrets(db, 'password', userId);
  // Whoever had got as far as the second factor did so with the old password.
  await dropSecrets(db, 'second-factor', userId);
  return await revokeSessions({ db, now }, userId, keep);
}
