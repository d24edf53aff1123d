import { type Kysely, sql } from 'kysely';
import { type Home, MAX_HOME_ITEMS } from '#contract/dashboard.ts';
import type { Database } from '#db/schema.ts';
import { countCommits } from '#git/count-commits.ts';
import type { Deps } from '../deps.ts';
import { visibleSessions } from '../project-data/debug-sessions.ts';
import { projectStorage } from '../project-data/storage.ts';

/** Lists commits that may have fixed an error of the user's projects: the newest suggestion of each error. */
export async function listSuggestedFixes(
  db: Kysely<Database>,
  userId: string,
): Promise<Home['suggested_fixes']> {
  const newest = visibleSessions(db, userId)
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('debug_groups as g', (join) =>
      join.onRef('g.project_id', '=', 's.project_id').onRef('g.fingerprint', '=', 's.fingerprint'),
    )
    .innerJoin('debug_resolutions as r', (join) =>
      join.onRef('r.project_id', '=', 's.project_id').onRef('r.session_id', '=', 's.id'),
    )
    .where('r.state', '=', 'suggested')
    .where('g.state', '!=', 'solved')
    .distinctOn('g.id')
    .select(['s.id as session_id', 's.title', 's.project_id', 'p.name as project_name', 'r.commit'])
    .select(['r.suggested_at', sql<string>`r.fixing_commit->>'message'`.as('subject')])
    .orderBy('g.id')
    .orderBy('r.suggested_at', 'desc');
  const rows = await db
    .selectFrom(newest.as('f'))
    .selectAll()
    .orderBy('f.suggested_at', 'desc')
    .limit(MAX_HOME_ITEMS)
    .execute();
  return rows.map((row) => ({ ...row, suggested_at: row.suggested_at.toISOString() }));
}

/** Lists the newest commits of the user's projects that changed the lines of a fix. */
export async function listFixedCode(db: Kysely<Database>, userId: string): Promise<Home['fixed_code']> {
  const rows = await db
    .selectFrom('fixed_code_changes as c')
    .innerJoin('project_members as m', 'm.project_id', 'c.project_id')
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .where('m.user_id', '=', userId)
    .select(['c.project_id', 'p.name as project_name', 'c.commit', 'c.subject', 'c.author', 'c.path'])
    .select(['c.committed_at', 'c.fix', 'c.fix_subject', 'c.found_at'])
    .orderBy('c.committed_at', 'desc')
    .limit(MAX_HOME_ITEMS)
    .execute();
  return rows.map(({ committed_at, found_at, ...row }) => ({
    ...row,
    timestamp: committed_at.toISOString(),
    found_at: found_at.toISOString(),
  }));
}

/** Time for counting the commits of one branch. */
const COUNT_TIMEOUT_MS = 500;

/** Lists the user's branches that have commits of their own, newest first. */
export async function listOwnBranches(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: string,
): Promise<Home['branches']> {
  const rows = await db
    .selectFrom('branches as b')
    .innerJoin('project_members as m', (join) =>
      join.onRef('m.project_id', '=', 'b.project_id').on('m.user_id', '=', userId),
    )
    .innerJoin('projects as p', 'p.id', 'b.project_id')
    .where('b.user_id', '=', userId)
    .whereRef('b.base', '!=', 'b.head')
    .select(['b.project_id', 'p.name as project_name', 'b.name', 'b.base', 'b.head', 'b.pushed_at'])
    .orderBy('b.created_at', 'desc')
    .limit(MAX_HOME_ITEMS)
    .execute();
  return await Promise.all(
    rows.map(async ({ base, head, pushed_at, ...branch }) => {
      const { repo } = projectStorage(config.dataDir, branch.project_id);
      const signal = AbortSignal.timeout(COUNT_TIMEOUT_MS);
      // An unreadable repository must not fail the home page; the project page reports it.
      const ahead = await countCommits(repo, { from: head, not: base, signal }).catch(() => null);
      return { ...branch, ahead, is_pushed: pushed_at !== null };
    }),
  );
}
