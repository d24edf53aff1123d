import { type Kysely, sql } from 'kysely';

/** Replays of a project's past fixes: the cases so far and, at the end, their figures. One a project runs at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backtests (
      project_id text not null references projects on delete cascade,
      id text not null,
      state text not null check (state in ('running', 'done', 'failed')),
      commit text not null,
      fixes integer not null,
      seed bigint,
      total integer,
      cases jsonb not null default '[]',
      figures jsonb,
      failure jsonb,
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (project_id, id)
    );
    create unique index backtests_running on backtests (project_id) where state = 'running';
  `.execute(db);
}
