import { type Kysely, sql } from 'kysely';

/** Commits that may have fixed the error of a debug session, and follow-up chats of a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table debug_resolutions (
      project_id text not null,
      session_id text not null,
      commit text not null,
      found jsonb not null,
      state text not null default 'suggested' check (state in ('suggested', 'confirmed', 'rejected')),
      found_at timestamptz not null default now(),
      decided_at timestamptz,
      decided_by text references users on delete set null,
      primary key (project_id, session_id, commit),
      foreign key (project_id, session_id) references debug_sessions on delete cascade
    );

    alter table chat_threads
      add column session_id text references debug_sessions (id) on delete set null;
    create index chat_threads_of_session on chat_threads (session_id) where session_id is not null;
  `.execute(db);
}
