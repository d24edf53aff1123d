import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';

/** Finds a user with what decides about deliveries; null for an account that is inactive or being deleted. */
export async function findRecipient(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('users')
    .select(['email', 'username', 'language', 'email_verified_at', 'notification_email_sent_at'])
    .select(['email_notifications', 'push_notifications', 'notification_scope'])
    .select(['email_frequency', 'daily_digest_at'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null)
    .executeTakeFirst();
}
