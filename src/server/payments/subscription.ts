import { AppError } from '#contract/errors.ts';
import type { Subscription } from '#contract/payments.ts';
import { planOf, TRIAL_DAYS } from '#contract/plans.ts';
import type { Deps } from '../deps.ts';
import { countProjects, effectivePlan, findPlan, paidPlan } from '../project-data/plans.ts';

const DAY_MS = 24 * 3600 * 1000;

type Needs = Pick<Deps, 'db' | 'config' | 'events' | 'now'>;

/** Somebody's plan as the API shows it. */
export async function getSubscription(
  { db, config, now }: Omit<Needs, 'events'>,
  userId: string,
): Promise<Subscription> {
  const row = await findPlan(db, userId);
  const plan = paidPlan(row, now());
  const effective = effectivePlan(row, now());
  const paying = plan === 'pro' && row.plan === 'pro';
  const limited = config.razorpay !== null;
  return {
    plan,
    effective_plan: effective,
    // A plan whose time is over is not shown as inactive: the plan is Free from then on.
    is_active: true,
    expires_at: paying ? (row.expires_at?.toISOString() ?? null) : null,
    period: paying ? row.period : null,
    cancel_at_period_end: paying && row.cancel_at_period_end === true,
    trial: {
      available: limited && plan === 'free' && row.trial_ends_at === null,
      ends_at: row.trial_ends_at?.toISOString() ?? null,
    },
    usage: {
      projects: {
        used: await countProjects(db, userId),
        limit: limited ? planOf(effective).limits.projects : null,
      },
    },
  };
}

/** Lets the paid plan end with its time. Throws `conflict` where there is nothing to end. */
export async function cancelAtPeriodEnd({ db, now }: Needs, userId: string): Promise<void> {
  const result = await db
    .updateTable('subscriptions')
    .set({ cancel_at_period_end: true })
    .where('user_id', '=', userId)
    .where('plan', '=', 'pro')
    .where('expires_at', '>', now())
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return;
  throw new AppError('conflict', 'There is no paid time that could be ended.', { reason: 'nothing_paid' });
}

/** Begins the trial. Throws `conflict` for a second one, `bad_request` where it would add nothing. */
export async function startTrial({ db, config, events, now }: Needs, userId: string): Promise<void> {
  const row = await findPlan(db, userId);
  if (config.razorpay === null || paidPlan(row, now()) !== 'free') {
    throw new AppError('bad_request', 'Your account has everything that the trial would add.', {
      reason: 'has_more',
    });
  }
  const ends = new Date(now().getTime() + TRIAL_DAYS * DAY_MS);
  const started = await db
    .insertInto('subscriptions')
    .values({ user_id: userId, trial_ends_at: ends })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ trial_ends_at: ends })
        .where('subscriptions.trial_ends_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (!started) {
    throw new AppError('conflict', 'The trial has been used already.', { reason: 'trial_used' });
  }
  events.emit({ type: 'plan-changed', userId, plan: 'pro' });
}
