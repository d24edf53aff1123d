import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'db' | 'events' | 'now'>;

/** Writes down that paid time is over. What one may do ended with it already; see `paidPlan`. */
export async function expirePaidPlans({ db, events, now }: Needs): Promise<void> {
  const ended = await db.transaction().execute(async (trx) => {
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
  for (const { id } of ended) events.emit({ type: 'plan-changed', userId: id, plan: 'free' });
}

/** Tells those whose trial is over, once, unless they have paid meanwhile. */
export async function expireTrials({ db, events, now }: Needs): Promise<void> {
  const ended = await db
    .updateTable('subscriptions')
    .set({ trial_over: true })
    .where('trial_over', '=', false)
    .where('trial_ends_at', '<=', now())
    .returning(['user_id', 'plan'])
    .execute();
  for (const { user_id, plan } of ended) {
    if (plan === 'free') events.emit({ type: 'plan-changed', userId: user_id, plan });
  }
}
