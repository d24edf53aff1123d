import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { type BillingPeriod, getPlan, type PlanValue } from '#contract/plans.ts';
import { newId } from '#db/ids.ts';
import type { Database, OrdersTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { findPlan } from '../project-data/plans.ts';
import type { PaymentGateway } from './gateway.ts';

const CURRENCY = 'INR';
const PAISE_PER_RUPEE = 100;

interface OrderRequest {
  userId: string;
  plan: PlanValue;
  period: BillingPeriod;
  idempotencyKey: string | undefined;
}

/** An order that exists at the gateway. */
type PlacedOrder = Selectable<OrdersTable> & { gateway_order_id: string };

/**
 * Places an order at the price of the plan table. Idempotent by key, also when the gateway’s first response was
 * lost. Throws `bad_request` for a plan that cannot be bought, `conflict` for a key of a different order.
 */
export async function placeOrder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  gateway: PaymentGateway,
  requested: OrderRequest,
): Promise<PlacedOrder> {
  requirePurchasable(requested.plan);
  await requireUpgrade(db, requested.userId);
  const idempotencyKey = requested.idempotencyKey ?? newId();
  await db
    .insertInto('orders')
    .values({
      id: newId(),
      user_id: requested.userId,
      idempotency_key: idempotencyKey,
      plan: 'pro',
      period: requested.period,
      amount_minor: getPlan(requested.plan).price[requested.period] * PAISE_PER_RUPEE,
      currency: CURRENCY,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .execute();
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', requested.userId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  if (order.period !== requested.period || order.state === 'paid') {
    throw new AppError('conflict', 'order_conflict');
  }
  return {
    ...order,
    gateway_order_id: order.gateway_order_id ?? (await createGatewayOrder(db, gateway, order)),
  };
}

/** Finds an order of this user by its id at the gateway. */
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

/** Converts paise to rupees, the unit of the specification. */
export function toRupees(amountMinor: number): number {
  return amountMinor / PAISE_PER_RUPEE;
}

function requirePurchasable(plan: PlanValue): void {
  if (plan === 'pro') return;
  const messages = {
    free: 'free_plan_not_sold',
    enterprise: 'enterprise_by_agreement',
  } as const;
  throw new AppError('bad_request', messages[plan], { reason: 'not_for_sale' });
}

async function requireUpgrade(db: Kysely<Database>, userId: string): Promise<void> {
  const { subscription_plan } = await findPlan(db, userId);
  if (subscription_plan !== 'enterprise') return;
  throw new AppError('bad_request', 'enterprise_includes_pro', { reason: 'already_included' });
}

async function createGatewayOrder(
  db: Kysely<Database>,
  gateway: PaymentGateway,
  order: Selectable<OrdersTable>,
): Promise<string> {
  const { id } = await gateway
    .createOrder({ receipt: order.id, amountMinor: order.amount_minor, currency: order.currency })
    .catch((cause) => {
      throw new AppError('unavailable', 'payment_not_started', { cause });
    });
  // Concurrent calls with one key must agree on one order: the first response wins.
  const { gateway_order_id } = await db
    .updateTable('orders')
    .set(({ fn, ref, val }) => ({ gateway_order_id: fn.coalesce(ref('gateway_order_id'), val(id)) }))
    .where('id', '=', order.id)
    .returning('gateway_order_id')
    .executeTakeFirstOrThrow();
  return gateway_order_id ?? id;
}
