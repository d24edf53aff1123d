import { type Kysely, sql } from 'kysely';

/** Links in letters that set a new password: of each only the digest, so that a copy of this table opens nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_resets (
      digest text primary key,
      user_id text not null references users on delete cascade,
      expires_at timestamptz not null
    );
    create index password_resets_of_user on password_resets (user_id);
  `.execute(db);
}
