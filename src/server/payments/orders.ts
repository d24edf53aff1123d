import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { type Period, type PlanValue, planOf } from '#contract/plans.ts';
import { newId } from '#db/ids.ts';
import type { Database, OrdersTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { findPlan } from '../project-data/plans.ts';
import type { PaymentGateway } from './gateway.ts';

const CURRENCY = 'INR';
const PAISE = 100;

/** What somebody wants to buy. */
export interface OrderRequest {
  userId: string;
  plan: PlanValue;
  period: Period;
  idempotencyKey: string | undefined;
}

/** An order that the gateway knows too. */
export type PlacedOrder = Selectable<OrdersTable> & { gateway_order_id: string };

/**
 * Places an order at the price of our table. The same key again gives the same order, also when the gateway's first
 * answer was lost. Throws `bad_request` for a plan that is not for sale, `conflict` for a key of something else.
 */
export async function placeOrder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  gateway: PaymentGateway,
  wish: OrderRequest,
): Promise<PlacedOrder> {
  requireForSale(wish.plan);
  await requireUseful(db, wish.userId);
  const idempotencyKey = wish.idempotencyKey ?? newId();
  await db
    .insertInto('orders')
    .values({
      id: newId(),
      user_id: wish.userId,
      idempotency_key: idempotencyKey,
      plan: 'pro',
      period: wish.period,
      amount_minor: planOf(wish.plan).price[wish.period] * PAISE,
      currency: CURRENCY,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .execute();
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', wish.userId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  if (order.period !== wish.period || order.state === 'paid') {
    throw new AppError('conflict', 'This order was placed for something else or has been paid. Begin again.');
  }
  return { ...order, gateway_order_id: order.gateway_order_id ?? (await tellGateway(db, gateway, order)) };
}

/** The order of this user that the gateway calls so; null also for somebody else's. */
export async function findOrder(
  db: Kysely<Database>,
  userId: string,
  gatewayOrderId: string,
): Promise<PlacedOrder | null> {
  const row = await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('gateway_order_id', '=', gatewayOrderId)
    .executeTakeFirst();
  return (row as PlacedOrder | undefined) ?? null;
}

/** Rupees, as the specification counts. */
export function toRupees(amountMinor: number): number {
  return amountMinor / PAISE;
}

function requireForSale(plan: PlanValue): void {
  if (plan === 'pro') return;
  const words = {
    free: 'The Free plan costs nothing. There is nothing to pay.',
    enterprise: 'Enterprise is agreed upon in person. Use Contact sales.',
  };
  throw new AppError('bad_request', words[plan], { reason: 'not_for_sale' });
}

async function requireUseful(db: Kysely<Database>, userId: string): Promise<void> {
  const { subscription_plan } = await findPlan(db, userId);
  if (subscription_plan !== 'enterprise') return;
  throw new AppError('bad_request', 'Your plan is Enterprise, which has all of Pro.', { reason: 'has_more' });
}

async function tellGateway(
  db: Kysely<Database>,
  gateway: PaymentGateway,
  order: Selectable<OrdersTable>,
): Promise<string> {
  const { id } = await gateway
    .createOrder({ receipt: order.id, amountMinor: order.amount_minor, currency: order.currency })
    .catch((cause) => {
      throw new AppError('unavailable', 'Failed to initialize payment. Please try again.', { cause });
    });
  // Of two calls with one key the first answer counts, for both: what is paid for must be the order that is known.
  const { gateway_order_id } = await db
    .updateTable('orders')
    .set(({ fn, ref, val }) => ({ gateway_order_id: fn.coalesce(ref('gateway_order_id'), val(id)) }))
    .where('id', '=', order.id)
    .returning('gateway_order_id')
    .executeTakeFirstOrThrow();
  return gateway_order_id ?? id;
}
