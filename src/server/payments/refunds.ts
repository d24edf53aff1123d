import { type Kysely, type Selectable, sql } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { REFUND_DAYS } from '#contract/plans.ts';
import { newId } from '#db/ids.ts';
import type { Database, PaymentsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';
import type { GatewayRefund, PaymentGateway } from './gateway.ts';
import {
  announcePayment,
  type PaymentDeps,
  type PaymentRecord,
  recordPayment,
  recordRefund,
} from './ledger.ts';

const DAY_MS = 24 * 3600 * 1000;

type RefundDeps = PaymentDeps & { gateway: PaymentGateway };

/** A payment with its order and its latest refund state. */
export type PaymentDetails = Awaited<ReturnType<typeof listPayments>>[number];

/** Lists payments with their orders, newest first. */
export async function listPayments(db: Kysely<Database>, where: { userId: string } | { paymentId: string }) {
  const rows = db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .select(['orders.user_id', 'orders.gateway_order_id', 'orders.plan', 'orders.period'])
    .select(['orders.amount_minor', 'orders.currency'])
    .select((select) =>
      select
        .selectFrom('refunds')
        .select('refunds.state')
        .whereRef('refunds.payment_id', '=', 'payments.id')
        .orderBy('refunds.id', 'desc')
        .limit(1)
        .as('refund_state'),
    )
    .orderBy('payments.id', 'desc');
  return 'userId' in where
    ? await rows.where('orders.user_id', '=', where.userId).limit(MAX_LIST).execute()
    : await rows.where('payments.id', '=', where.paymentId).execute();
}

/** End of the refund window of a payment; null when it cannot be refunded. */
export function refundableUntil(row: PaymentDetails, now: Date): Date | null {
  const isRefunded = row.refund_state !== null && row.refund_state !== 'failed';
  const isCaptured = row.state === 'captured' || row.refund_state === 'failed';
  if (isRefunded || !isCaptured || row.captured_at === null) return null;
  const deadline = new Date(row.captured_at.getTime() + REFUND_DAYS * DAY_MS);
  return deadline > now ? deadline : null;
}

/** Finds a payment of the caller, or any payment for an admin. Throws `not_found` otherwise. */
export async function findAccessiblePayment(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  paymentId: string,
): Promise<PaymentDetails> {
  const [row] = await listPayments(db, { paymentId });
  if (row && (row.user_id === caller.userId || caller.role === 'admin')) return row;
  throw new AppError('not_found', 'payment_not_found');
}

/**
 * Refunds a payment. Throws `bad_request` when it is not refundable, `conflict` when it is already refunded.
 */
export async function refundPayment(deps: RefundDeps, caller: Caller, row: PaymentDetails): Promise<void> {
  requireRefundable(row, deps.now());
  await deps.db
    .insertInto('refunds')
    .values({
      id: newId(),
      payment_id: row.id,
      state: 'requested',
      requested_by: caller.userId,
      created_at: deps.now(),
    })
    // A pending refund without a response is retried under its own key.
    .onConflict((conflict) => conflict.column('payment_id').where(sql`state`, '<>', 'failed').doNothing())
    .execute();
  const refund = await deps.db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', row.id)
    .where('state', '=', 'requested')
    .executeTakeFirst();
  if (!refund) throw alreadyRefunded();
  await completeRefund(deps, refund.id, row);
}

/** Requests a recorded refund from the gateway under its key, and records the result. */
export async function completeRefund(
  deps: RefundDeps,
  refundId: string,
  payment: Pick<Selectable<PaymentsTable>, 'gateway_payment_id'> & {
    gateway_order_id: string | null;
    amount_minor: number;
    currency: string;
  },
): Promise<void> {
  const { db, gateway } = deps;
  const refund = await gateway.refund(payment.gateway_payment_id, refundId).catch(async (error) => {
    // Only a refusal is final: without a response, the same key is sent again.
    if (error instanceof AppError && error.code === 'bad_request') await markFailed(db, refundId);
    throw error;
  });
  const recorded = await db.transaction().execute(async (trx): Promise<PaymentRecord | null> => {
    await recordRefund(trx, refund);
    if (refund.status === 'failed') return null;
    const refunded = {
      id: payment.gateway_payment_id,
      order_id: payment.gateway_order_id,
      amount: payment.amount_minor,
      currency: payment.currency,
      status: 'refunded' as const,
    };
    return await recordPayment({ ...deps, db: trx }, refunded);
  });
  if (recorded) await announcePayment(deps, recorded);
  requireAccepted(refund);
}

function requireRefundable(row: PaymentDetails, now: Date): void {
  const isRefunded =
    row.refund_state !== null && row.refund_state !== 'failed' && row.refund_state !== 'requested';
  if (isRefunded || (row.state === 'refunded' && row.refund_state === null)) throw alreadyRefunded();
  if (row.captured_at === null) {
    throw new AppError('bad_request', 'payment_not_captured', {
      reason: 'not_captured',
    });
  }
  if (now.getTime() > row.captured_at.getTime() + REFUND_DAYS * DAY_MS) {
    throw new AppError('bad_request', 'refund_too_late', {
      params: { days: REFUND_DAYS },
      reason: 'refund_window_expired',
    });
  }
}

function requireAccepted(refund: GatewayRefund): void {
  if (refund.status !== 'failed') return;
  throw new AppError('bad_request', 'refund_failed', {
    reason: 'refund_failed',
  });
}

async function markFailed(db: Kysely<Database>, refundId: string): Promise<void> {
  await db.updateTable('refunds').set({ state: 'failed' }).where('id', '=', refundId).execute();
}

function alreadyRefunded(): AppError {
  return new AppError('conflict', 'already_refunded', { reason: 'already_refunded' });
}
