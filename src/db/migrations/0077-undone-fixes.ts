import { type Kysely, sql } from 'kysely';

/** Commits that removed an earlier fix. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table undone_fixes (
      project_id text not null references projects on delete cascade,
      commit text not null,
      fix text not null,
      subject text not null,
      author text not null,
      committed_at timestamptz not null,
      path text not null,
      line integer not null,
      basis text not null,
      fix_subject text not null,
      found_at timestamptz not null default now(),
      primary key (project_id, commit, fix)
    );
    create index undone_fixes_newest on undone_fixes (project_id, committed_at desc);
  `.execute(db);
}
