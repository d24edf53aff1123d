import { type Kysely, sql } from 'kysely';

/** Stores comments of imported issues. Lists that were read before are read again, since they did not count comments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_comments (
      project_id text not null references projects on delete cascade,
      kind text not null check (kind in ('issue', 'pull_request')),
      number integer not null check (number > 0),
      id text not null,
      author text,
      body text not null,
      created_at timestamptz,
      updated_at timestamptz,
      size integer not null generated always as (octet_length(body)) stored,
      search tsvector not null generated always as (setweight(to_tsvector('english', body), 'D')) stored,
      primary key (project_id, kind, number, id)
    );
    create index issue_comments_by_text on issue_comments using gin (search);

    alter table issues
      add column comment_count integer,
      add column comments_as_of timestamptz;
    update issue_imports set progress = '{}';
  `.execute(db);
}
