import { type Kysely, sql } from 'kysely';

/** Notifications. One event makes one row per user, however many processes receive it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      user_id text not null references users on delete cascade,
      id text not null,
      event_key text not null,
      type text not null check (type in ('info', 'success', 'warning', 'error')),
      title jsonb not null,
      message jsonb not null,
      action_url text,
      created_at timestamptz not null default now(),
      read_at timestamptz,
      deleted_at timestamptz,
      primary key (user_id, id),
      unique (user_id, event_key)
    );
    create index notifications_unread on notifications (user_id) where read_at is null and deleted_at is null;
  `.execute(db);
}
