import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { gatewayPayment, gatewayRefund } from './gateway.ts';
import { emitPlanChange, type PaymentRecord, recordPayment, recordRefund } from './ledger.ts';

const entity = <T extends z.ZodType>(schema: T) => z.object({ entity: schema }).optional().catch(undefined);

const webhookEvent = z.object({
  event: z.string().max(100),
  payload: z.object({ payment: entity(gatewayPayment), refund: entity(gatewayRefund) }),
});

/** What an event came to. */
export type WebhookOutcome = PaymentRecord['outcome'] | 'repeated' | 'ignored';

/**
 * Gives an event of the gateway its effect, once, whichever copy comes first and whatever came before. `raw` has been
 * checked against its signature. An event that says nothing about payments is ignored.
 */
export async function processWebhookEvent(
  deps: Pick<Deps, 'db' | 'events' | 'now'>,
  raw: Buffer,
  eventId: string | undefined,
): Promise<WebhookOutcome> {
  const parsed = webhookEvent.safeParse(readJson(raw));
  if (!parsed.success) return 'ignored';
  const { event, payload } = parsed.data;
  const id = eventId ?? createHash('sha256').update(raw).digest('hex');
  const { effect, change } = await deps.db.transaction().execute(async (trx) => {
    const first = await trx
      .insertInto('webhook_events')
      .values({ id, type: event, received_at: deps.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!first) return { effect: 'repeated' as const, change: null };
    if (payload.refund) await recordRefund(trx, payload.refund.entity);
    if (!payload.payment) return { effect: 'ignored' as const, change: null };
    const { outcome, change } = await recordPayment(trx, payload.payment.entity, deps.now());
    return { effect: outcome, change };
  });
  emitPlanChange(deps, change);
  return effect;
}

function readJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}
