import type { Logger } from 'pino';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { expirePaidPlans, expireTrials } from './expire-plans.ts';
import { createRazorpay, type PaymentGateway } from './gateway.ts';
import { applyPayment, type PaymentDeps } from './ledger.ts';
import { completeRefund } from './refunds.ts';
import { remindOfTrialEnds } from './trial-reminders.ts';
import { captureAuthorized } from './verify-checkout.ts';

const QUEUE = 'reconcile-payments';

/** Anything older should already have been reported by the browser or an event. */
const SETTLE_DELAY_MS = 15 * 60_000;
/** Payments may be authorized up to three days late. */
const RECONCILE_WINDOW_MS = 5 * 24 * 3600_000;
const INTERVAL_MS = 5 * 60_000;
const RETRY_LIMIT = 2;
/** After so many failures in a row the gateway itself is out of order, and the run fails. */
const MAX_FAILURES_IN_A_ROW = 5;

type ReconciliationDeps = PaymentDeps & Pick<Deps, 'metrics'> & { log: Logger };

/** Returns the job that reconciles payments with the gateway; null without a gateway. */
export function reconciliationJob(deps: ReconciliationDeps): JobDefinition | null {
  const { razorpay } = deps.config;
  if (razorpay === null) return null;
  const gateway = createRazorpay(razorpay);
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    everyMs: INTERVAL_MS,
    singletonKey: () => 'all',
    run: async (_, { signal }) => await reconcilePayments({ ...deps, gateway }, signal),
  };
}

/**
 * Expires plans and trials, reminds of trials that end, then fetches payments and refunds whose responses were lost. One that
 * fails is logged, counted, and tried again by the next run.
 */
export async function reconcilePayments(
  deps: ReconciliationDeps & { gateway: PaymentGateway },
  signal?: AbortSignal,
): Promise<void> {
  await expirePaidPlans(deps);
  await expireTrials(deps);
  await remindOfTrialEnds(deps);
  const orders = await listUnpaidOrderIds(deps);
  await reconcileEach(deps, { kind: 'order', items: orders, signal }, async (orderId) => {
    for (const payment of await deps.gateway.listOrderPayments(orderId)) {
      await applyPayment(deps, await captureAuthorized(deps.gateway, payment));
    }
  });
  const refunds = await listRequestedRefunds(deps);
  await reconcileEach(deps, { kind: 'refund', items: refunds, signal }, async ({ refund_id, ...payment }) => {
    await completeRefund(deps, refund_id, payment);
  });
}

/** Reconciles items one after the other. Throws where several in a row fail. */
async function reconcileEach<T>(
  { log, metrics }: Pick<ReconciliationDeps, 'log' | 'metrics'>,
  { kind, items, signal }: { kind: 'order' | 'refund'; items: readonly T[]; signal: AbortSignal | undefined },
  reconcile: (item: T) => Promise<void>,
): Promise<void> {
  let failuresInARow = 0;
  for (const item of items) {
    signal?.throwIfAborted();
    try {
      await reconcile(item);
      failuresInARow = 0;
    } catch (error) {
      metrics.reconciliationFailures.inc({ kind });
      log.error({ err: error, kind, item }, 'reconciling with the payment gateway failed');
      failuresInARow += 1;
      if (failuresInARow === MAX_FAILURES_IN_A_ROW) throw error;
    }
  }
}

async function listUnpaidOrderIds({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('gateway_order_id')
    .where('state', '<>', 'paid')
    .where('gateway_order_id', 'is not', null)
    .where('created_at', '<', new Date(now().getTime() - SETTLE_DELAY_MS))
    .where('created_at', '>', new Date(now().getTime() - RECONCILE_WINDOW_MS))
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.gateway_order_id!);
}

async function listRequestedRefunds({ db, now }: Pick<Deps, 'db' | 'now'>) {
  return await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['refunds.id as refund_id', 'payments.gateway_payment_id', 'orders.gateway_order_id'])
    .select(['orders.amount_minor', 'orders.currency'])
    .where('refunds.state', '=', 'requested')
    .where('refunds.created_at', '<', new Date(now().getTime() - SETTLE_DELAY_MS))
    .execute();
}
