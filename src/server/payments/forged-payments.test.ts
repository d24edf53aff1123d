import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRoutes } from '#contract/payments.ts';
import type { TestUser } from '../testing.ts';
import type { GatewayPayment } from './gateway.ts';
import { checkoutPayload, signPayload } from './razorpay-signature.ts';
import { type PaymentsTestApp, paymentEvent, paymentsTestApp } from './testing.ts';

const DAY = 24 * 3600;

let app: PaymentsTestApp;
let eve: TestUser;
let ada: TestUser;

beforeAll(async () => {
  app = await paymentsTestApp();
  await app.signUp('admin');
});
afterAll(() => app.close());

/** Creates two users per attempt, to isolate state and avoid rate limits. */
async function createUsers(): Promise<void> {
  [ada, eve] = [await app.signUp(), await app.signUp()];
}

async function readPlan(user: TestUser): Promise<string> {
  return (await app.call(paymentRoutes.subscription, {}, user)).body.plan;
}

type SignedCheckout = ReturnType<PaymentsTestApp['razorpay']['checkoutResult']>;

/** Eve's own paid order with its signature. */
async function paidOrder(overrides: Partial<GatewayPayment> = {}): Promise<SignedCheckout> {
  const orderId = await app.createOrder(eve);
  return app.razorpay.checkoutResult(orderId, app.razorpay.pay(orderId, overrides).id);
}

async function verifyRaw(payload: object): Promise<{ status: number; message: string }> {
  const reply = await app.inject({ method: 'POST', url: '/api/payments/verify-payment', payload }, eve);
  return { status: reply.statusCode, message: reply.json().detail };
}

const forged = (change: (signature: string, signed: SignedCheckout) => unknown) => async () => {
  const signed = await paidOrder();
  return { ...signed, razorpay_signature: change(signed.razorpay_signature, signed) };
};
const secret = () => app.razorpay.config.keySecret;

const VERIFICATIONS: [string, number, () => Promise<object>][] = [
  ['signature missing', 422, forged(() => undefined)],
  ['signature empty', 422, forged(() => '')],
  ['signature of a wrong length', 400, forged((signature) => signature.slice(1))],
  ['one bit flipped', 400, forged((signature) => (signature[0] === '0' ? '1' : '0') + signature.slice(1))],
  ['upper-case hex', 400, forged((signature) => signature.toUpperCase())],
  [
    'a signature for another order',
    400,
    async () => {
      const other = await paidOrder();
      return { ...(await paidOrder()), razorpay_signature: other.razorpay_signature };
    },
  ],
  [
    'signed over payment|order',
    400,
    forged((_, signed) =>
      signPayload(checkoutPayload(signed.razorpay_payment_id, signed.razorpay_order_id), secret()),
    ),
  ],
  [
    'an order that is not ours',
    404,
    async () => app.razorpay.checkoutResult('order_elsewhere', 'pay_elsewhere'),
  ],
  [
    "another user's order",
    404,
    async () => {
      const orderId = await app.createOrder(ada);
      return app.razorpay.checkoutResult(orderId, app.razorpay.pay(orderId).id);
    },
  ],
  [
    'a payment of another order, signed for ours with a stolen key',
    400,
    async () => {
      const other = await paidOrder();
      return app.razorpay.checkoutResult(await app.createOrder(eve), other.razorpay_payment_id);
    },
  ],
  [
    'a payment that does not exist',
    400,
    async () => app.razorpay.checkoutResult(await app.createOrder(eve), 'pay_none'),
  ],
  ['a payment that failed', 400, () => paidOrder({ status: 'failed' })],
  ['a payment that was given back', 400, () => paidOrder({ status: 'refunded' })],
  ['a payment that has only begun', 409, () => paidOrder({ status: 'created' })],
  ['rupees where paise are due', 400, () => paidOrder({ amount: 199 })],
  ['dollars', 400, () => paidOrder({ currency: 'USD' })],
];

test.each(VERIFICATIONS)('verification: %s activates no plan', async (_name, status, attempt) => {
  await createUsers();
  const reply = await verifyRaw(await attempt());
  expect(reply.status).toBe(status);
  if (status === 400 || status === 404) {
    expect(reply.message).toBe('Payment verification failed. Please contact support.');
  }
  expect([await readPlan(eve), await readPlan(ada)]).toEqual(['free', 'free']);
});

test('an authorized payment that cannot be captured activates no plan', async () => {
  await createUsers();
  const signed = await paidOrder({ status: 'authorized' });
  app.razorpay.failures.set(/capture$/, 'server_error');
  expect((await verifyRaw(signed)).status).toBe(409);
  app.razorpay.failures.clear();
  expect(await readPlan(eve)).toBe('free');
});

test('an order for Pro verified as Enterprise activates Pro', async () => {
  await createUsers();
  expect((await verifyRaw({ ...(await paidOrder()), plan: 'enterprise', amount: 450_000 })).status).toBe(200);
  expect(await readPlan(eve)).toBe('pro');
});

test('a payment counts once, and not after its refund', async () => {
  await createUsers();
  const signed = await paidOrder();
  await verifyRaw(signed);
  const before = (await app.call(paymentRoutes.subscription, {}, eve)).body;
  expect((await verifyRaw(signed)).status).toBe(200);
  expect((await app.call(paymentRoutes.subscription, {}, eve)).body).toEqual(before);
  const [payment] = (await app.call(paymentRoutes.history, {}, eve)).body;
  await app.call(paymentRoutes.refund, { params: { id: payment!.id } }, eve);
  expect((await verifyRaw(signed)).status).toBe(400);
  expect(await readPlan(eve)).toBe('free');
});

test.each([
  ['plan enterprise', { plan: 'enterprise', gateway: 'razorpay' }, 400],
  ['plan free', { plan: 'free', gateway: 'razorpay' }, 400],
  ['an unknown plan', { plan: 'gold', gateway: 'razorpay' }, 422],
  ['another gateway', { plan: 'pro', gateway: 'stripe' }, 422],
  ['an unknown period', { plan: 'pro', gateway: 'razorpay', period: 'weekly' }, 422],
])('create-order: %s creates no order', async (_name, payload, status) => {
  await createUsers();
  const orders = app.razorpay.orders.size;
  const reply = await app.inject({ method: 'POST', url: '/api/payments/create-order', payload }, eve);
  expect(reply.statusCode).toBe(status);
  expect(app.razorpay.orders.size).toBe(orders);
});

test('create-order: an amount from the client is ignored', async () => {
  await createUsers();
  const payload = { plan: 'pro', gateway: 'razorpay', amount: 1, amount_minor: 1, currency: 'USD' };
  const reply = await app.inject({ method: 'POST', url: '/api/payments/create-order', payload }, eve);
  expect(app.razorpay.orders.get(reply.json().id)).toMatchObject({ amount: 19_900, currency: 'INR' });
});

/** A captured payment of Eve's that was not reported yet. */
async function unreportedPayment(): Promise<GatewayPayment> {
  return app.razorpay.pay(await app.createOrder(eve));
}

type Delivery = NonNullable<Parameters<PaymentsTestApp['deliverWebhook']>[1]>;

const EVENTS: [string, number, (event: object) => Delivery][] = [
  ['no signature', 400, () => ({ signature: null })],
  ['an empty signature', 400, () => ({ signature: '' })],
  [
    'signed over JSON that was written anew',
    400,
    (event) => ({
      body: JSON.stringify(event, null, 2),
      signature: signPayload(JSON.stringify(event), app.razorpay.config.webhookSecret!),
    }),
  ],
  [
    'an old secret',
    400,
    (event) => ({ signature: signPayload(JSON.stringify(event), 'last year’s secret') }),
  ],
  [
    'the secret of the key instead of the events',
    400,
    (event) => ({ signature: signPayload(JSON.stringify(event), secret()) }),
  ],
  ['more than a megabyte', 413, (event) => ({ body: JSON.stringify({ ...event, x: 'x'.repeat(2 ** 20) }) })],
  ['a body that is no JSON', 200, () => ({ body: 'hello' })],
];

test.each(EVENTS)('event: %s has no effect', async (_name, status, delivery) => {
  await createUsers();
  const event = paymentEvent('payment.captured', await unreportedPayment());
  expect((await app.deliverWebhook(event, delivery(event))).statusCode).toBe(status);
  expect(await readPlan(eve)).toBe('free');
});

test.each<[string, Partial<GatewayPayment>]>([
  ['an unknown order', { order_id: 'order_elsewhere' }],
  ['no order at all', { order_id: null }],
  ['another amount', { amount: 199 }],
  ['another currency', { currency: 'USD' }],
])('event: %s is well received and has no effect', async (_name, overrides) => {
  await createUsers();
  const event = paymentEvent('payment.captured', { ...(await unreportedPayment()), ...overrides });
  expect((await app.deliverWebhook(event)).statusCode).toBe(200);
  expect(await readPlan(eve)).toBe('free');
});

test('event: a payment authorized three days late activates no plan until captured', async () => {
  await createUsers();
  const payment = await unreportedPayment();
  await app.deliverWebhook(paymentEvent('payment.failed', payment, 'failed'));
  await app.deliverWebhook(paymentEvent('payment.authorized', payment, 'authorized'));
  expect(await readPlan(eve)).toBe('free');
  await app.deliverWebhook(paymentEvent('payment.captured', payment, 'captured'));
  expect(await readPlan(eve)).toBe('pro');
});

async function paymentOf(user: TestUser): Promise<string> {
  return (await app.call(paymentRoutes.history, {}, user)).body[0]!.id;
}

async function refund(id: string): Promise<{ status: number; reason: string | undefined }> {
  const reply = await app.call(paymentRoutes.refund, { params: { id } }, eve);
  return { status: reply.status, reason: reply.error?.reason };
}

test("refund: another user's payment is not found", async () => {
  await createUsers();
  await app.subscribe(ada);
  expect(await refund(await paymentOf(ada))).toEqual(await refund('missing'));
  expect((await refund('missing')).status).toBe(404);
  expect(await readPlan(ada)).toBe('pro');
});

test('refund: a repeated request refunds once', async () => {
  await createUsers();
  const payment = await app.subscribe(eve);
  const id = await paymentOf(eve);
  const replies = await Promise.all([refund(id), refund(id)]);
  expect(replies.some((reply) => reply.status === 200)).toBe(true);
  expect(await refund(id)).toEqual({ status: 409, reason: 'already_refunded' });
  const refunds = [...app.razorpay.refunds.values()].filter((made) => made.payment_id === payment.id);
  expect(refunds).toHaveLength(1);
});

test('refund: a payment that is not captured is rejected', async () => {
  await createUsers();
  const payment = await unreportedPayment();
  await app.deliverWebhook(paymentEvent('payment.authorized', payment, 'authorized'));
  expect(await refund(await paymentOf(eve))).toEqual({ status: 400, reason: 'not_captured' });
});

test('refund: a failed refund can be retried', async () => {
  await createUsers();
  const payment = await app.subscribe(eve);
  const id = await paymentOf(eve);
  app.razorpay.payments.get(payment.id)!.status = 'created';
  expect(await refund(id)).toEqual({ status: 400, reason: 'gateway_rejected' });
  expect(await readPlan(eve)).toBe('pro');
  app.razorpay.payments.get(payment.id)!.status = 'captured';
  expect((await refund(id)).status).toBe(200);
});
test('refund: rejected after 14 days', async () => {
  await createUsers();
  await app.subscribe(eve);
  const id = await paymentOf(eve);
  await app.deps.db
    .updateTable('payments')
    .set({ captured_at: new Date(app.deps.now().getTime() - 14 * DAY * 1000 - 1) })
    .where('id', '=', id)
    .execute();
  expect(await refund(id)).toEqual({ status: 400, reason: 'refund_window_expired' });
});
