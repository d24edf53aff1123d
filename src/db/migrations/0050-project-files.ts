import { type Kysely, sql } from 'kysely';

/** Files of projects that lie in the object store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table project_files (
      project_id text not null references projects on delete cascade,
      path text not null,
      files jsonb not null,
      bytes bigint not null,
      published_at timestamptz not null default now(),
      primary key (project_id, path)
    );
  `.execute(db);
}
