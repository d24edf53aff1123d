import { type Kysely, sql } from 'kysely';

/** Watches of members, and the watch that a notification was sent for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table watches (
      project_id text not null references projects on delete cascade,
      id text not null,
      user_id text not null,
      kind text not null,
      value text not null,
      path text not null default '',
      match text not null default 'words',
      created_at timestamptz not null default now(),
      last_match_at timestamptz,
      primary key (project_id, id),
      foreign key (project_id, user_id) references project_members on delete cascade
    );
    create unique index watches_subject on watches (project_id, user_id, kind, md5(value), md5(path), match);
    create index watches_of_user on watches (user_id);
    alter table notifications add column watch jsonb;
  `.execute(db);
}
