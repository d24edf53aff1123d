import { type Kysely, sql } from 'kysely';

/** Stores saved searches, and the cause that an answer names where searches can read it without the whole answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_searches (
      id text primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      query text not null,
      match text not null check (match in ('words', 'exact', 'regex')),
      created_at timestamptz not null default now(),
      unique (user_id, name)
    );

    alter table debug_sessions
      add column cause text generated always as (left(answer->'root_cause'->>'text', 1000)) stored;
  `.execute(db);
}
