import { type Kysely, sql } from 'kysely';

/**
 * Heads of branches become rows that every server reads: `branches.head` is authoritative from the moment that a project has its
 * row in `repositories`. Packs of saves lie in the object store until they are part of the published repository.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table repositories (
      project_id text primary key references projects on delete cascade,
      version bigint not null default 1
    );
    create table repository_packs (
      project_id text not null references projects on delete cascade,
      name text not null,
      objects text[] not null,
      bytes bigint not null,
      created_at timestamptz not null default now(),
      primary key (project_id, name)
    );
  `.execute(db);
}
