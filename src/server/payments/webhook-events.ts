import { createHash } from 'node:crypto';
import { z } from 'zod';
import { gatewayPayment, gatewayRefund } from './gateway.ts';
import {
  announcePayment,
  type PaymentDeps,
  type PaymentRecord,
  recordPayment,
  recordRefund,
} from './ledger.ts';

const entity = <T extends z.ZodType>(schema: T) => z.object({ entity: schema }).optional().catch(undefined);

const webhookEvent = z.object({
  event: z.string().max(100),
  payload: z.object({ payment: entity(gatewayPayment), refund: entity(gatewayRefund) }),
});

type WebhookOutcome = PaymentRecord['outcome'] | 'repeated' | 'ignored';

/**
 * Applies a gateway event once, regardless of duplicates and order. `raw` has a verified signature; events without
 * a payment or refund are ignored.
 */
export async function processWebhookEvent(
  deps: PaymentDeps,
  raw: Buffer,
  eventId: string | undefined,
): Promise<WebhookOutcome> {
  const parsed = webhookEvent.safeParse(parseJson(raw));
  if (!parsed.success) return 'ignored';
  const { event, payload } = parsed.data;
  const id = eventId ?? createHash('sha256').update(raw).digest('hex');
  const { outcome, ...recorded } = await deps.db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto('webhook_events')
      .values({ id, type: event, received_at: deps.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return { outcome: 'repeated' as const, change: null };
    if (payload.refund) await recordRefund(trx, payload.refund.entity);
    if (!payload.payment) return { outcome: 'ignored' as const, change: null };
    return await recordPayment({ ...deps, db: trx }, payload.payment.entity);
  });
  await announcePayment(deps, recorded);
  return outcome;
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return null;
  }
}
