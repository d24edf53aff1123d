import { type Kysely, sql } from 'kysely';

/** Commits that changed lines which an earlier fix had written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fixed_code_changes (
      project_id text not null references projects on delete cascade,
      commit text not null,
      subject text not null,
      author text not null,
      committed_at timestamptz not null,
      path text not null,
      fix text not null,
      fix_subject text not null,
      found_at timestamptz not null default now(),
      primary key (project_id, commit)
    );
    create index fixed_code_changes_newest on fixed_code_changes (project_id, committed_at desc);
  `.execute(db);
}
