import { type Selectable, sql, type Transaction } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database, PaymentsTable } from '#db/schema.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import type { Deps } from '../deps.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { emailOrigin } from './email-origin.ts';
import type { GatewayPayment, GatewayRefund } from './gateway.ts';
import { issueInvoice } from './invoices.ts';
import { paidUntil } from './paid-until.ts';

/** Dependencies of recording a payment. */
export type PaymentDeps = Pick<Deps, 'db' | 'config' | 'events' | 'jobs' | 'now'>;

/** A user’s new plan. */
interface PlanChange {
  userId: string;
  plan: 'free' | 'pro';
}

type LedgerDeps = Pick<Deps, 'config' | 'now'> & { db: Transaction<Database> };

/** Outcome of a payment: `applied` also when it was already recorded or came too late to change anything. */
export interface PaymentRecord {
  outcome: 'applied' | 'order_not_found' | 'amount_mismatch';
  change: PlanChange | null;
  /** Invoice or credit note that was issued for it. */
  invoice?: { id: string; userId: string | null } | null;
  /** Set when the payment has newly failed. */
  failed?: { userId: string; paymentId: string } | null;
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
  { db: trx, config, now: clock }: LedgerDeps,
  payment: GatewayPayment,
): Promise<PaymentRecord> {
  const now = clock();
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
  const row = await upsertPayment(trx, order.id, payment, now);
  if (row === null) return { outcome: 'applied', change: null };
  const paid = payment.status === 'captured' || payment.status === 'refunded';
  await trx
    .updateTable('orders')
    .set({ state: paid ? 'paid' : 'attempted' })
    .where('id', '=', order.id)
    .where('state', '<>', 'paid')
    .execute();
  const userId = order.user_id;
  const change = paid && userId ? await recomputePlan(trx, userId, payment.status, now) : null;
  failpoint('payment-recorded');
  const isFailed = payment.status === 'failed' && userId !== null;
  return {
    outcome: 'applied',
    change,
    invoice: row.captured_at && (await issueInvoice({ db: trx, config }, { order, payment: row, now })),
    failed: isFailed ? { userId, paymentId: row.id } : null,
  };
}

/** Inserts the payment or advances its state; null when its state is not behind. */
async function upsertPayment(
  trx: Transaction<Database>,
  orderId: string,
  payment: GatewayPayment,
  now: Date,
): Promise<Selectable<PaymentsTable> | null> {
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
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
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
export async function applyPayment(deps: PaymentDeps, payment: GatewayPayment): Promise<PaymentRecord> {
  const recorded = await deps.db.transaction().execute((trx) => recordPayment({ ...deps, db: trx }, payment));
  failpoint('payment-committed');
  await announcePayment(deps, recorded);
  return recorded;
}

/** Emits what a recorded payment has changed, and enqueues the email with its invoice. To be called after the commit. */
export async function announcePayment(
  deps: Pick<Deps, 'events' | 'jobs' | 'config'>,
  { change, invoice, failed }: Omit<PaymentRecord, 'outcome'>,
): Promise<void> {
  if (change) deps.events.emit({ type: 'plan-changed', ...change });
  if (failed) deps.events.emit({ type: 'payment-failed', ...failed });
  if (!invoice?.userId) return;
  const path = `/billing/invoices/${invoice.id}`;
  const email = { kind: 'invoice' as const, userId: invoice.userId, path, origin: emailOrigin(deps.config) };
  // The payment is recorded, and its invoice is listed: a lost email must not fail the reply.
  await queueEmail(deps, email).catch(() => {});
}
