import { type Kysely, sql } from 'kysely';

/** Emails about notifications at once or once a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column email_frequency text not null default 'immediate',
      add column daily_digest_at timestamptz`.execute(db);
}
