import { type Kysely, sql } from 'kysely';

/** Chats: a thread belongs to one user and one project. A question and its answer are stored together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chat_threads (
      project_id text not null references projects on delete cascade,
      id text not null,
      user_id text not null references users on delete cascade,
      created_at timestamptz not null default now(),
      primary key (project_id, id)
    );
    create index chat_threads_of_user on chat_threads (project_id, user_id, id desc);

    create table chat_messages (
      project_id text not null,
      id text not null,
      thread_id text not null,
      role text not null check (role in ('user', 'assistant', 'system')),
      content text not null,
      status text not null check (status in ('done', 'stopped')),
      created_at timestamptz not null default now(),
      primary key (project_id, id),
      foreign key (project_id, thread_id) references chat_threads on delete cascade
    );
    create index chat_messages_of_thread on chat_messages (project_id, thread_id, id desc);
  `.execute(db);
}
