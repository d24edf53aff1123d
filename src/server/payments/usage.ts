import { type Kysely, sql, type Transaction } from 'kysely';
import type { PlanUsage } from '#contract/billing.ts';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { getPlan } from '#contract/plans.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';
import { lockUser } from '../identity/user-store.ts';
import { countVisibleCommits } from '../project-data/commit-list.ts';
import { effectivePlan, findPlan, historyLimit } from '../project-data/plans.ts';

/** Time before the choice can be changed again, so that it does not make every project writable by turns. */
const CHOICE_INTERVAL_MS = 24 * 3600_000;

/** Loads what a user uses of their plan. */
export async function loadUsage(deps: Deps, userId: string): Promise<PlanUsage> {
  const { db, config, now } = deps;
  const plan = effectivePlan(await findPlan(db, userId), now());
  const limits = config.razorpay === null ? null : getPlan(plan).limits;
  const owned = await listOwned(deps, userId);
  const sum = (count: (project: PlanUsage['owned'][number]) => number) =>
    owned.reduce((total, project) => total + count(project), 0);
  const from = new Date(Date.UTC(now().getUTCFullYear(), now().getUTCMonth()));
  const until = new Date(Date.UTC(now().getUTCFullYear(), now().getUTCMonth() + 1));
  const lockedUntil = await choiceLockedUntil(db, userId);
  return {
    plan,
    period: { from: from.toISOString(), until: until.toISOString() },
    projects: { used: owned.length, limit: limits?.projects ?? null },
    commits: {
      shown: sum((project) => project.commits_shown),
      total: sum((project) => project.commits),
      limit: limits?.commits ?? null,
      days: limits?.history_days ?? null,
    },
    answers: { used: await countAnswers(db, userId, from), limit: null },
    owned,
    choice_locked_until: lockedUntil && lockedUntil > now() ? lockedUntil.toISOString() : null,
  };
}

async function listOwned(deps: Deps, userId: string): Promise<PlanUsage['owned']> {
  const rows = await deps.db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .leftJoin('writable_projects as w', (join) =>
      join.onRef('w.project_id', '=', 'p.id').onRef('w.user_id', '=', 'm.user_id'),
    )
    .selectAll('p')
    .select('w.project_id as chosen')
    .select(readOnlyByPlan(deps, 'p.id').as('read_only'))
    .where('m.user_id', '=', userId)
    .where('m.direct_role', '=', 'owner')
    .orderBy('p.id', 'desc')
    .limit(MAX_LIST)
    .execute();
  const owned: PlanUsage['owned'] = [];
  // One plan has one limit.
  const limit = rows[0] ? await historyLimit(deps, rows[0].id) : null;
  // One at a time, since each may open an index.
  for (const project of rows) {
    const { shown, total } = await countVisibleCommits(deps, project, limit);
    owned.push({
      id: project.id,
      name: project.name,
      created_at: project.created_at.toISOString(),
      commits: total,
      commits_shown: shown,
      read_only: project.read_only,
      chosen: project.chosen !== null,
    });
  }
  return owned;
}

/** Counts answers to the user's questions and errors since a time, in the projects of which they are a member. */
async function countAnswers(db: Kysely<Database>, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select (
      select count(*) from project_members m
        join chat_threads t on t.project_id = m.project_id and t.user_id = m.user_id
        join chat_messages c on c.project_id = t.project_id and c.thread_id = t.id
      where m.user_id = ${userId} and c.role = 'assistant' and c.created_at >= ${since}
    ) + (
      select count(*) from project_members m
        join debug_sessions s on s.project_id = m.project_id and s.user_id = m.user_id
      where m.user_id = ${userId} and s.created_at >= ${since}
    ) as count`.execute(db);
  return Number(rows[0]!.count);
}

/**
 * Replaces the choice of projects that stay writable over the limit. Throws `not_found` for a project that the user does not
 * own, `bad_request` for more than the plan allows, and `conflict` within a day of the last choice.
 */
export async function chooseWritableProjects(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  userId: string,
  projectIds: readonly string[],
): Promise<void> {
  const chosen = [...new Set(projectIds)];
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const { name, limits } = getPlan(effectivePlan(await findPlan(trx, userId), deps.now()));
    const limit = deps.config.razorpay === null ? null : limits.projects;
    if (limit !== null && chosen.length > limit) {
      const options = { params: { plan: name, limit }, reason: 'too_many_projects' };
      throw new AppError('bad_request', 'too_many_writable_projects', options);
    }
    await requireOwned(trx, userId, chosen);
    const lockedUntil = await choiceLockedUntil(trx, userId);
    if (lockedUntil && lockedUntil > deps.now()) {
      throw new AppError('conflict', 'writable_projects_locked', { reason: 'choice_locked' });
    }
    await trx.deleteFrom('writable_projects').where('user_id', '=', userId).execute();
    if (chosen.length === 0) return;
    const rows = chosen.map((project_id) => ({ project_id, user_id: userId, chosen_at: deps.now() }));
    await trx
      .insertInto('writable_projects')
      .values(rows)
      // The choice of a former owner.
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({ user_id: userId, chosen_at: deps.now() }),
      )
      .execute();
  });
}

async function requireOwned(trx: Transaction<Database>, userId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('direct_role', '=', 'owner')
    .where('project_id', 'in', ids)
    .execute();
  if (rows.length < ids.length) throw new AppError('not_found', 'project_not_found');
}

async function choiceLockedUntil(db: Kysely<Database>, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('writable_projects')
    .select((select) => select.fn.max('chosen_at').as('chosen_at'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.chosen_at ? new Date(row.chosen_at.getTime() + CHOICE_INTERVAL_MS) : null;
}
