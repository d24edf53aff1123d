import { type Kysely, type Selectable, sql } from 'kysely';
import { OCCURRENCE_WEEKS } from '#contract/error-groups.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import type { Database } from '#db/schema.ts';
import { visibleSessions } from '../project-data/debug-sessions.ts';

const WEEK_S = 7 * 24 * 3600;

/** A project on the dashboard; `used` when it was created or queried since the given time. */
export type ProjectActivity = Pick<
  Selectable<ProjectsTable>,
  'id' | 'name' | 'git_url' | 'created_at' | 'status' | 'indexed_commit'
> & { commits: number; used: boolean };

/** Lists the projects of the user, newest first. */
export async function listProjectActivity(
  db: Kysely<Database>,
  userId: string,
  since: Date,
): Promise<ProjectActivity[]> {
  return await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('m.user_id', '=', userId)
    .select(['p.id', 'p.name', 'p.git_url', 'p.created_at', 'p.status', 'p.indexed_commit'])
    .select(sql<number>`coalesce((p.coverage->>'commits')::int, 0)`.as('commits'))
    .select(
      sql<boolean>`p.created_at >= ${since} or exists (
        select from debug_sessions s where s.project_id = p.id and s.created_at >= ${since}
      )`.as('used'),
    )
    .orderBy('p.id', 'desc')
    .execute();
}

/** Counts the user’s errors by the week in which they were solved, the current one last. */
export async function countSolvedByWeek(db: Kysely<Database>, userId: string): Promise<number[]> {
  const { rows } = await sql<{ weeks_ago: number; count: number }>`
    select floor(extract(epoch from now() - g.state_changed_at) / ${WEEK_S})::int as weeks_ago, count(*)::int as count
    from project_members m join debug_groups g on g.project_id = m.project_id
    where m.user_id = ${userId} and g.state = 'solved'
      and g.state_changed_at > now() - make_interval(weeks => ${OCCURRENCE_WEEKS})
    group by 1`.execute(db);
  const weeks = Array<number>(OCCURRENCE_WEEKS).fill(0);
  for (const { weeks_ago: ago, count } of rows) {
    weeks[OCCURRENCE_WEEKS - 1 - Math.min(OCCURRENCE_WEEKS - 1, Math.max(0, ago))]! += count;
  }
  return weeks;
}

/** Counts the sessions in the user’s projects that were rated helpful or whose error is solved. */
export async function countSolvedErrors(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await visibleSessions(db, userId)
    .innerJoin('debug_groups as g', (join) =>
      join.onRef('g.project_id', '=', 's.project_id').onRef('g.fingerprint', '=', 's.fingerprint'),
    )
    .where(
      sql<boolean>`(g.state = 'solved' or exists (
        select from feedback f where f.session_id = s.id and f.helpful
      ))`,
    )
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
