import type { LightMyRequestResponse } from 'fastify';
import { paymentRoutes } from '#contract/payments.ts';
import type { BillingPeriod } from '#contract/plans.ts';
import type { ServerConfig } from '../deps.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import type { GatewayPayment } from './gateway.ts';
import { signPayload } from './razorpay-signature.ts';
import { type FakeRazorpay, startFakeRazorpay } from './testing-fake-razorpay.ts';

/** Test server with payments, and its gateway. */
export interface PaymentsTestApp extends TestApp {
  razorpay: FakeRazorpay;
  /** Creates an order of Pro; returns its id at the gateway. */
  createOrder(user: TestUser, period?: BillingPeriod): Promise<string>;
  /** Pays and verifies an order of Pro. */
  subscribe(user: TestUser, period?: BillingPeriod): Promise<GatewayPayment>;
  /** Delivers an event as Razorpay does; with a custom signature, or none for null. */
  deliverWebhook(
    event: object,
    options?: { id?: string; body?: string; signature?: string | null },
  ): Promise<LightMyRequestResponse>;
}

/** Starts the server with payments, its own database and a fake gateway. */
export async function paymentsTestApp(
  config: Partial<ServerConfig> = {},
  options: { work?: boolean } = {},
): Promise<PaymentsTestApp> {
  const razorpay = await startFakeRazorpay();
  const app = await testApp({ ...options, config: { razorpay: razorpay.config, ...config } });

  const order: PaymentsTestApp['createOrder'] = async (user, period = 'monthly') => {
    const body = { plan: 'pro', gateway: 'razorpay', period } as const;
    const reply = await app.call(paymentRoutes.createOrder, { body }, user);
    if (reply.status !== 200) throw new Error(reply.raw.body);
    return reply.body.id;
  };

  return {
    ...app,
    razorpay,
    createOrder: order,
    async subscribe(user, period) {
      const orderId = await order(user, period);
      const payment = razorpay.pay(orderId);
      const body = razorpay.checkoutResult(orderId, payment.id);
      const reply = await app.call(paymentRoutes.verify, { body }, user);
      if (reply.status !== 200) throw new Error(reply.raw.body);
      return payment;
    },
    async deliverWebhook(event, { id, body = JSON.stringify(event), signature } = {}) {
      const signed = signature === undefined ? signPayload(body, razorpay.config.webhookSecret!) : signature;
      return await app.inject({
        method: 'POST',
        url: '/api/payments/webhook',
        payload: body,
        headers: {
          'content-type': 'application/json',
          ...(signed !== null && { 'x-razorpay-signature': signed }),
          ...(id && { 'x-razorpay-event-id': id }),
        },
      });
    },
    async close() {
      await app.close();
      await razorpay.close();
    },
  };
}

/** Payment event in the format of Razorpay. */
export function paymentEvent(event: string, payment: GatewayPayment, status = payment.status): object {
  return {
    entity: 'event',
    account_id: 'acc_local',
    event,
    contains: ['payment'],
    payload: { payment: { entity: { ...payment, entity: 'payment', status } } },
    created_at: 1_800_000_000,
  };
}
