import { type Kysely, sql } from 'kysely';

/**
 * Debug sessions about commits that only their author's branch reaches; the URL that a credential was given for: that of the
 * project today, for those that there are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table debug_sessions add column draft boolean not null default false;

    alter table credentials add column url text;
    update credentials c set url = p.git_url from projects p where p.id = c.project_id;
    alter table credentials alter column url set not null;
  `.execute(db);
}
