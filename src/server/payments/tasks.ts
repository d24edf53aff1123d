import type { Deps } from '../deps.ts';
import { expirePaidPlans, expireTrials } from './expire-plans.ts';
import { createRazorpay, type PaymentGateway } from './gateway.ts';
import { applyPayment } from './ledger.ts';
import { completeRefund } from './refunds.ts';
import { captureAuthorized } from './verify-checkout.ts';

const RECONCILE = 'reconcile-payments';

/** Whatever is this old should have been told by the browser or an event. */
const SETTLED_MS = 15 * 60_000;
/** Money may be set aside up to three days late. */
const GIVEN_UP_MS = 5 * 24 * 3600_000;
const EVERY_MS = 5 * 60_000;
const RETRIES = 2;

type Needs = Pick<Deps, 'db' | 'config' | 'jobs' | 'events' | 'now'>;

/** Registers the job that compares our books with the gateway's. Nothing without payments. */
export function defineReconciliation(deps: Needs): void {
  const { razorpay } = deps.config;
  if (razorpay === null) return;
  const gateway = createRazorpay(razorpay);
  deps.jobs.define(
    RECONCILE,
    { concurrency: 1, retryLimit: RETRIES, singleton: () => 'all' },
    async (_, { signal }) => await reconcilePayments({ ...deps, gateway }, signal),
  );
}

/** Asks for the job now and every five minutes; however many processes ask, it runs once. Returns what stops it. */
export function scheduleReconciliation(
  { config, jobs }: Needs,
  onError: (error: unknown) => void,
): () => void {
  if (config.razorpay === null) return () => {};
  const ask = () => void jobs.send(RECONCILE, {}).catch(onError);
  ask();
  const timer = setInterval(ask, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Ends what has run out, then catches up on payments and refunds whose answers were lost. */
export async function reconcilePayments(
  deps: Pick<Deps, 'db' | 'events' | 'now'> & { gateway: PaymentGateway },
  signal?: AbortSignal,
): Promise<void> {
  await expirePaidPlans(deps);
  await expireTrials(deps);
  for (const orderId of await openOrders(deps)) {
    signal?.throwIfAborted();
    for (const payment of await deps.gateway.listOrderPayments(orderId)) {
      await applyPayment(deps, await captureAuthorized(deps.gateway, payment));
    }
  }
  for (const { refund_id, ...payment } of await openRefunds(deps)) {
    signal?.throwIfAborted();
    await completeRefund(deps, refund_id, payment);
  }
}

async function openOrders({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('gateway_order_id')
    .where('state', '<>', 'paid')
    .where('gateway_order_id', 'is not', null)
    .where('created_at', '<', new Date(now().getTime() - SETTLED_MS))
    .where('created_at', '>', new Date(now().getTime() - GIVEN_UP_MS))
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.gateway_order_id!);
}

async function openRefunds({ db, now }: Pick<Deps, 'db' | 'now'>) {
  return await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['refunds.id as refund_id', 'payments.gateway_payment_id', 'orders.gateway_order_id'])
    .select(['orders.amount_minor', 'orders.currency'])
    .where('refunds.state', '=', 'requested')
    .where('refunds.created_at', '<', new Date(now().getTime() - SETTLED_MS))
    .execute();
}
