import { type Kysely, sql } from 'kysely';

/** Stores the time of the occurrence of each event, by which the events of an error are listed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table error_events add column occurred_at timestamptz not null default now();
    update error_events set occurred_at = coalesce((event->>'at')::timestamptz, received_at);
    drop index error_events_of_group;
    create index error_events_of_group on error_events (project_id, fingerprint, occurred_at, received_at, id)
      where fingerprint is not null;
  `.execute(db);
}
