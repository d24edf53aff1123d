import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Deletes the second factor and the recovery codes of an account; returns false when there was none. */
export async function removeSecondFactor(db: Kysely<Database>, userId: string): Promise<boolean> {
  const changed = await db
    .updateTable('users')
    .set({ totp_secret: null, totp_pending: null, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return changed.numUpdatedRows > 0n;
}
