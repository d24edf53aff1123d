import { type Kysely, sql } from 'kysely';

/**
 * Resolves errors in the release after one, snoozes them until a newer release has them, and counts the releases in which solved
 * errors came back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table debug_groups add column solved_after text, add column snoozed_release text;

    alter table debug_group_values
      drop constraint debug_group_values_kind_check,
      add constraint debug_group_values_kind_check check (kind in ('tag', 'release', 'environment', 'regression'));
  `.execute(db);
}
