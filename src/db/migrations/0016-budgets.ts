import { type Kysely, sql } from 'kysely';

/**
 * Language model usage per user and day (UTC), and reservations of answers in progress;
 * when a repository was fetched, which commit an answer is about, and summaries that a model wrote.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table model_use (
      user_id text not null references users on delete cascade,
      day date not null,
      tokens bigint not null,
      cost double precision not null,
      answers integer not null,
      primary key (user_id, day)
    );
    create table model_reservations (
      id text primary key,
      user_id text not null references users on delete cascade,
      tokens integer not null,
      cost double precision not null,
      expires_at timestamptz not null
    );
    create index model_reservations_of_user on model_reservations (user_id);

    alter table projects add column fetched_at timestamptz;
    alter table chat_messages add column standing jsonb;

    create table chat_summaries (
      project_id text not null,
      thread_id text not null,
      last_id text not null,
      content text not null,
      model text not null,
      created_at timestamptz not null,
      primary key (project_id, thread_id, last_id),
      foreign key (project_id, thread_id) references chat_threads (project_id, id) on delete cascade
    );
  `.execute(db);
}
