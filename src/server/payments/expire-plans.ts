import type { Deps } from '../deps.ts';

type ExpiryDeps = Pick<Deps, 'db' | 'events' | 'now'>;

/** Persists the expiry of paid plans. Entitlements ended at the same time already; see `paidPlan`. */
export async function expirePaidPlans({ db, events, now }: ExpiryDeps): Promise<void> {
  await resumeExpiredEarly({ db, events, now });
  const expired = await db.transaction().execute(async (trx) => {
    const rows = await trx
      .updateTable('subscriptions')
      .set({ plan: 'free', cancel_at_period_end: false })
      .where('plan', '=', 'pro')
      .where('expires_at', '<=', now())
      .returning('user_id')
      .execute();
    if (rows.length === 0) return [];
    return await trx
      .updateTable('users')
      .set({ subscription_plan: 'free' })
      .where('subscription_plan', '=', 'pro')
      .where(
        'id',
        'in',
        rows.map((row) => row.user_id),
      )
      .returning('id')
      .execute();
  });
  for (const { id } of expired) events.emit({ type: 'plan-changed', userId: id, plan: 'free' });
}

/** Resumes plans that a clock which was ahead for a while has ended before their time. */
async function resumeExpiredEarly({ db, events, now }: ExpiryDeps): Promise<void> {
  const resumed = await db.transaction().execute(async (trx) => {
    const rows = await trx
      .updateTable('subscriptions')
      .set({ plan: 'pro' })
      .where('plan', '=', 'free')
      .where('expires_at', '>', now())
      .returning('user_id')
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.user_id);
    return await trx
      .updateTable('users')
      .set({ subscription_plan: 'pro' })
      .where('subscription_plan', '=', 'free')
      .where('id', 'in', ids)
      .returning('id')
      .execute();
  });
  for (const { id } of resumed) events.emit({ type: 'plan-changed', userId: id, plan: 'pro' });
}

/** Notifies users once when their trial has ended, unless they have paid meanwhile. */
export async function expireTrials({ db, events, now }: ExpiryDeps): Promise<void> {
  const expired = await db
    .updateTable('subscriptions')
    .set({ trial_end_notified: true })
    .where('trial_end_notified', '=', false)
    .where('trial_ends_at', '<=', now())
    .returning(['user_id', 'plan'])
    .execute();
  for (const { user_id, plan } of expired) {
    if (plan === 'free') events.emit({ type: 'plan-changed', userId: user_id, plan });
  }
}
