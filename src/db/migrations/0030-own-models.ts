import { type Kysely, sql } from 'kysely';

/**
 * Language models of people and of projects, attachments of questions, and what an answer took: its steps and its share of
 * the model's context.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_models (
      user_id text primary key references users on delete cascade,
      provider text not null,
      name text not null,
      base_url text not null,
      sealed_key text,
      tested jsonb,
      created_at timestamptz not null default now()
    );

    create table project_models (
      project_id text primary key references projects on delete cascade,
      provider text not null,
      name text not null,
      base_url text not null,
      sealed_key text,
      tested jsonb,
      created_by text references users on delete set null,
      created_at timestamptz not null default now()
    );

    create table chat_attachments (
      project_id text not null references projects on delete cascade,
      id text not null,
      user_id text not null references users on delete cascade,
      message_id text,
      kind text not null check (kind in ('log', 'file', 'image')),
      name text not null,
      media_type text not null,
      size integer not null,
      width integer,
      height integer,
      text text,
      data bytea,
      created_at timestamptz not null default now(),
      primary key (project_id, id),
      foreign key (project_id, message_id) references chat_messages on delete cascade
    );
    create index chat_attachments_of_message on chat_attachments (project_id, message_id);
    create index unsent_chat_attachments on chat_attachments (user_id, created_at) where message_id is null;

    alter table chat_messages
      add column model_source text check (model_source in ('project', 'own', 'server')),
      add column steps jsonb,
      add column context jsonb;
  `.execute(db);
}
