import { AppError } from '#contract/errors.ts';
import type { Subscription } from '#contract/payments.ts';
import { getPlan, TRIAL_DAYS } from '#contract/plans.ts';
import type { Deps } from '../deps.ts';
import { countProjects, effectivePlan, findPlan, paidPlan } from '../project-data/plans.ts';

const DAY_MS = 24 * 3600 * 1000;

type SubscriptionDeps = Pick<Deps, 'db' | 'config' | 'events' | 'now'>;

/** Subscription of a user as the API returns it. */
export async function getSubscription(
  { db, config, now }: Omit<SubscriptionDeps, 'events'>,
  userId: string,
): Promise<Subscription> {
  const row = await findPlan(db, userId);
  const plan = paidPlan(row, now());
  const effective = effectivePlan(row, now());
  const hasPaidPlan = plan === 'pro' && row.plan === 'pro';
  const isBillingEnabled = config.razorpay !== null;
  return {
    plan,
    effective_plan: effective,
    // Never inactive: an expired plan becomes Free.
    is_active: true,
    expires_at: hasPaidPlan ? (row.expires_at?.toISOString() ?? null) : null,
    period: hasPaidPlan ? row.period : null,
    cancel_at_period_end: hasPaidPlan && row.cancel_at_period_end === true,
    trial: {
      available: isBillingEnabled && plan === 'free' && row.trial_ends_at === null,
      ends_at: row.trial_ends_at?.toISOString() ?? null,
    },
    usage: {
      projects: {
        used: await countProjects(db, userId),
        limit: isBillingEnabled ? getPlan(effective).limits.projects : null,
      },
    },
  };
}

/** Cancels the paid plan at the end of its period. Throws `conflict` without one. */
export async function cancelAtPeriodEnd({ db, now }: SubscriptionDeps, userId: string): Promise<void> {
  const result = await db
    .updateTable('subscriptions')
    .set({ cancel_at_period_end: true })
    .where('user_id', '=', userId)
    .where('plan', '=', 'pro')
    .where('expires_at', '>', now())
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return;
  throw new AppError('conflict', 'nothing_to_cancel', { reason: 'no_paid_plan' });
}

/** Starts the trial. Throws `conflict` for a second one, `bad_request` where it would add nothing. */
export async function startTrial(
  { db, config, events, now }: SubscriptionDeps,
  userId: string,
): Promise<void> {
  const row = await findPlan(db, userId);
  if (config.razorpay === null || paidPlan(row, now()) !== 'free') {
    throw new AppError('bad_request', 'trial_adds_nothing', {
      reason: 'already_included',
    });
  }
  const trialEndsAt = new Date(now().getTime() + TRIAL_DAYS * DAY_MS);
  const started = await db
    .insertInto('subscriptions')
    .values({ user_id: userId, trial_ends_at: trialEndsAt })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ trial_ends_at: trialEndsAt })
        .where('subscriptions.trial_ends_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  if (!started) {
    throw new AppError('conflict', 'trial_used', { reason: 'trial_used' });
  }
  events.emit({ type: 'plan-changed', userId, plan: 'pro' });
}
