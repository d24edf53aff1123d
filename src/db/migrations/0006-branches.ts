import { type Kysely, sql } from 'kysely';

/** Branches of people in a project's repository: whose each is, and what of it was pushed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table branches (
      project_id text not null references projects on delete cascade,
      name text not null,
      user_id text not null references users on delete cascade,
      base text not null,
      head text not null,
      pushed_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (project_id, name)
    );
    create index branches_of_user on branches (project_id, user_id, created_at);
  `.execute(db);
}
