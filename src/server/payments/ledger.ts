import { sql, type Transaction } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { GatewayPayment, GatewayRefund } from './gateway.ts';
import { paidUntil } from './paid-until.ts';

/** A user’s new plan. */
export interface PlanChange {
  userId: string;
  plan: 'free' | 'pro';
}

/** Outcome of a payment: `applied` also when it was already recorded or came too late to change anything. */
export interface PaymentRecord {
  outcome: 'applied' | 'order_not_found' | 'amount_mismatch';
  change: PlanChange | null;
}

/**
 * Records a payment as reported by the gateway, with its consequences. States only move forward, so events may be
 * duplicated and come in any order:
 *
 *     created → failed → authorized → captured → refunded
 *
 * A failed payment may still be authorized later. An amount or currency that differs from the order has no effect.
 */
export async function recordPayment(
  trx: Transaction<Database>,
  payment: GatewayPayment,
  now: Date,
): Promise<PaymentRecord> {
  const order = await trx
    .selectFrom('orders')
    .selectAll()
    .where('gateway_order_id', '=', payment.order_id ?? '')
    .forUpdate()
    .executeTakeFirst();
  if (!order) return { outcome: 'order_not_found', change: null };
  if (payment.amount !== order.amount_minor || payment.currency !== order.currency) {
    return { outcome: 'amount_mismatch', change: null };
  }
  if (!(await upsertPayment(trx, order.id, payment, now))) return { outcome: 'applied', change: null };
  const paid = payment.status === 'captured' || payment.status === 'refunded';
  await trx
    .updateTable('orders')
    .set({ state: paid ? 'paid' : 'attempted' })
    .where('id', '=', order.id)
    .where('state', '<>', 'paid')
    .execute();
  const change = paid && order.user_id ? await recomputePlan(trx, order.user_id, payment.status, now) : null;
  return { outcome: 'applied', change };
}

/** Inserts the payment or advances its state; false when its state is not behind. */
async function upsertPayment(
  trx: Transaction<Database>,
  orderId: string,
  payment: GatewayPayment,
  now: Date,
): Promise<boolean> {
  const states = sql`array['created', 'failed', 'authorized', 'captured', 'refunded']`;
  const row = await trx
    .insertInto('payments')
    .values({
      id: newId(),
      order_id: orderId,
      gateway_payment_id: payment.id,
      state: payment.status,
      created_at: now,
      captured_at: payment.status === 'captured' ? now : null,
    })
    .onConflict((conflict) =>
      conflict
        .column('gateway_payment_id')
        .doUpdateSet({
          state: sql`excluded.state`,
          captured_at: sql`coalesce(payments.captured_at, excluded.captured_at)`,
        })
        .whereRef('payments.order_id', '=', sql`excluded.order_id`)
        .where(
          sql<boolean>`array_position(${states}, payments.state) < array_position(${states}, excluded.state)`,
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Recomputes the plan from all captured payments of the user. */
async function recomputePlan(
  trx: Transaction<Database>,
  userId: string,
  status: GatewayPayment['status'],
  now: Date,
): Promise<PlanChange | null> {
  const user = await trx
    .selectFrom('users')
    .select('subscription_plan')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const captured = await trx
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['orders.period', 'payments.captured_at'])
    .where('orders.user_id', '=', userId)
    .where('payments.state', '=', 'captured')
    .orderBy('payments.captured_at')
    .execute();
  const until = paidUntil(captured.map((row) => ({ period: row.period, capturedAt: row.captured_at! })));
  const plan = until !== null && until > now ? 'pro' : 'free';
  const values = {
    plan,
    period: captured.at(-1)?.period ?? null,
    expires_at: until,
    // A new payment revokes the cancellation.
    ...(status === 'captured' && { cancel_at_period_end: false }),
  } as const;
  await trx
    .insertInto('subscriptions')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
  if (user.subscription_plan === 'enterprise' || user.subscription_plan === plan) return null;
  await trx.updateTable('users').set({ subscription_plan: plan }).where('id', '=', userId).execute();
  return { userId, plan };
}

/** Records the state of a refund. One that was initiated elsewhere has no row here. */
export async function recordRefund(trx: Transaction<Database>, refund: GatewayRefund): Promise<void> {
  await trx
    .updateTable('refunds')
    .from('payments')
    .set({ state: refund.status, gateway_refund_id: refund.id })
    .whereRef('payments.id', '=', 'refunds.payment_id')
    .where('payments.gateway_payment_id', '=', refund.payment_id)
    .where('refunds.state', 'in', ['requested', 'pending'])
    .where((either) =>
      either.or([
        either('refunds.gateway_refund_id', 'is', null),
        either('refunds.gateway_refund_id', '=', refund.id),
      ]),
    )
    .execute();
}

/** Records one payment in its own transaction and emits a plan change. */
export async function applyPayment(
  deps: Pick<Deps, 'db' | 'events' | 'now'>,
  payment: GatewayPayment,
): Promise<PaymentRecord> {
  const recorded = await deps.db.transaction().execute((trx) => recordPayment(trx, payment, deps.now()));
  emitPlanChange(deps, recorded.change);
  return recorded;
}

export function emitPlanChange({ events }: Pick<Deps, 'events'>, change: PlanChange | null): void {
  if (change) events.emit({ type: 'plan-changed', ...change });
}
