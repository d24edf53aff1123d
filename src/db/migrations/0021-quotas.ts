import { type Kysely, sql } from 'kysely';

/**
 * Bytes that saves to each branch have written, for the quota of its owner. Branches under names that no git branch can have
 * were never saved to and go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table branches add column saved_bytes bigint not null default 0;
    create index branches_of_account on branches (user_id);
    delete from branches where base = head and (name ~ '(^|/)[.]' or name ~ '[.]lock(/|$)' or name ~ '[.]$');
  `.execute(db);
}
