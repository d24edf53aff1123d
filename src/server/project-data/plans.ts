import type { Kysely, Selectable, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { getPlan, type PlanValue } from '#contract/plans.ts';
import type { Database, SubscriptionsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../identity/user-store.ts';

const DAY_S = 24 * 3600;

/** Plan of a user; the subscription fields are null for users who never subscribed or started a trial. */
type PlanRow = { subscription_plan: PlanValue } & {
  [K in keyof Omit<Selectable<SubscriptionsTable>, 'user_id'>]: Selectable<SubscriptionsTable>[K] | null;
};

/** Loads the plan row of a user. */
export async function findPlan(db: Kysely<Database>, userId: string): Promise<PlanRow> {
  return await db
    .selectFrom('users')
    .leftJoin('subscriptions', 'subscriptions.user_id', 'users.id')
    .select(['users.subscription_plan', 'subscriptions.plan', 'subscriptions.period'])
    .select(['subscriptions.expires_at', 'subscriptions.cancel_at_period_end'])
    .select(['subscriptions.trial_ends_at', 'subscriptions.trial_end_notified'])
    .select('subscriptions.trial_reminded_at')
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Returns the paid plan; an expired one counts as Free at once, before the job that records it. */
export function paidPlan(row: PlanRow, now: Date): PlanValue {
  const over = row.plan === 'pro' && row.expires_at !== null && row.expires_at <= now;
  return over && row.subscription_plan === 'pro' ? 'free' : row.subscription_plan;
}

/** Returns the plan whose limits apply: the paid plan, or Pro during a trial. */
export function effectivePlan(row: PlanRow, now: Date): PlanValue {
  const paid = paidPlan(row, now);
  return paid === 'free' && row.trial_ends_at !== null && row.trial_ends_at > now ? 'pro' : paid;
}

/** Counts the projects that a user owns, which their plan limits. */
export async function countProjects(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('project_members')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('direct_role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(count);
}

type TransactionDeps = Pick<Deps, 'config' | 'now'> & { db: Transaction<Database> };

/**
 * Throws `plan_limit` when the user's plan allows no further project; never without payments. To be called in the transaction
 * that adds the project, before the insert: it locks the user.
 */
export async function requireProjectQuota(deps: TransactionDeps, userId: string): Promise<void> {
  const { used, limit, name } = await countProjectsLocked(deps, userId);
  if (limit === null || used < limit) return;
  throw new AppError('plan_limit', 'plan_project_limit_reached', {
    params: { plan: name, limit },
    reason: 'plan_project_limit',
  });
}

/** Throws `plan_limit` when a transferred project exceeds the plan of its new owner. To be called in that transaction. */
export async function requireReceiverProjectQuota(deps: TransactionDeps, userId: string): Promise<void> {
  const { used, limit } = await countProjectsLocked(deps, userId);
  if (limit === null || used <= limit) return;
  throw new AppError('plan_limit', 'receiver_plan_limit_reached', { reason: 'recipient_project_limit' });
}

async function countProjectsLocked(deps: TransactionDeps, userId: string) {
  if (deps.config.razorpay === null) return { used: 0, limit: null, name: '' };
  await lockUser(deps.db, userId);
  const { name, limits } = getPlan(effectivePlan(await findPlan(deps.db, userId), deps.now()));
  return { used: await countProjects(deps.db, userId), limit: limits.projects, name };
}

/** Part of a project's history that its owner's plan shows: a number of commits, or all since a time in seconds. */
export interface HistoryLimit {
  commits: number;
  since: number;
}

/** Returns the history limit of a project; null without one in its owner's plan, or without payments. */
export async function historyLimit(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  projectId: string,
): Promise<HistoryLimit | null> {
  if (deps.config.razorpay === null) return null;
  const owner = await deps.db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('direct_role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst();
  if (!owner) return null;
  const { limits } = getPlan(effectivePlan(await findPlan(deps.db, owner.user_id), deps.now()));
  if (limits.history_days === null) return null;
  return {
    commits: limits.commits ?? 0,
    since: deps.now().getTime() / 1000 - limits.history_days * DAY_S,
  };
}
