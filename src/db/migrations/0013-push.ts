import { type Kysely, sql } from 'kysely';

/** Notifications that leave the application: by Web Push to browsers, and by letter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_subscriptions (
      id text primary key,
      user_id text not null references users on delete cascade,
      session_id text not null references sessions on delete cascade,
      digest text not null unique,
      sealed text not null,
      created_at timestamptz not null default now()
    );
    create index push_subscriptions_of_user on push_subscriptions (user_id, id);

    alter table users
      add column notification_scope text not null default 'mine'
        check (notification_scope in ('everything', 'mine', 'security')),
      add column news_sent_at timestamptz;
  `.execute(db);
}
