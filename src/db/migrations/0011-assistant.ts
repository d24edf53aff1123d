import { type Kysely, sql } from 'kysely';

/**
 * Threads with titles, messages as a tree (an edited question or another answer is a branch beside the first), what an
 * answer took, calls that leave the machine, and secrets of webhooks that come in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chat_threads
      add column title text,
      add column shared boolean not null default false,
      add column head text,
      add column updated_at timestamptz not null default now();
    alter table chat_messages
      add column parent_id text,
      add column model text,
      add column input_tokens integer,
      add column output_tokens integer;

    update chat_messages m set parent_id = p.before
      from (select project_id, id, lag(id) over (partition by project_id, thread_id order by id) as before
              from chat_messages) p
      where p.project_id = m.project_id and p.id = m.id;
    update chat_threads t set
      head = (select max(id) from chat_messages m where m.project_id = t.project_id and m.thread_id = t.id),
      title = (select left(content, 80) from chat_messages m
                where m.project_id = t.project_id and m.thread_id = t.id and role = 'user' order by id limit 1),
      updated_at = coalesce((select max(created_at) from chat_messages m
                where m.project_id = t.project_id and m.thread_id = t.id), created_at);

    create table egress_log (
      id text primary key,
      at timestamptz not null,
      project_id text references projects on delete cascade,
      user_id text references users on delete set null,
      purpose text not null,
      host text not null,
      sent bigint not null,
      received bigint not null,
      status integer,
      ms integer not null
    );
    create index egress_log_of_project on egress_log (project_id, id desc);

    create table project_hooks (
      project_id text primary key references projects on delete cascade,
      sealed_secret text not null,
      user_id text references users on delete set null,
      created_at timestamptz not null default now(),
      last_at timestamptz,
      last_kind text,
      last_outcome text
    );
  `.execute(db);
}
