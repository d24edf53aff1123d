import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { paymentRoutes, type Subscription } from '#contract/payments.ts';
import { PLANS, yearlyDiscountPercent } from '#contract/plans.ts';
import { projectRoutes } from '#contract/projects.ts';
import { type TestUser, testApp } from '../testing.ts';
import { createRazorpay } from './gateway.ts';
import { reconcilePayments } from './reconciliation-tasks.ts';
import { type PaymentsTestApp, paymentEvent, paymentsTestApp } from './testing.ts';

const DAY = 24 * 3600;
const VERIFICATION_FAILED = 'Payment verification failed. Please contact support.';

const log = pino({ level: 'silent' });

let app: PaymentsTestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await paymentsTestApp();
  admin = await app.signUp('admin');
});
afterAll(() => app.close());

async function subscription(user: TestUser): Promise<Subscription> {
  return (await app.call(paymentRoutes.subscription, {}, user)).body;
}

async function verify(user: TestUser, body: ReturnType<PaymentsTestApp['razorpay']['checkoutResult']>) {
  return await app.call(paymentRoutes.verify, { body }, user);
}

/** Days between the app's clock and a time. */
function daysUntil(time: string | null): number {
  return Math.round((Date.parse(time ?? '') - app.deps.now().getTime()) / (DAY * 1000));
}

async function reconcileNow(): Promise<void> {
  await reconcilePayments({ ...app.deps, log, gateway: createRazorpay(app.razorpay.config) });
}

test('the plans match the specification, and savings are computed', async () => {
  const { plans } = (await app.call(paymentRoutes.plans, {})).body;
  expect(plans.map(({ value, price, usd }) => [value, price.monthly, price.yearly, usd])).toEqual([
    ['free', 0, 0, 0],
    ['pro', 199, 1999, 15],
    ['enterprise', 4500, 40_000, null],
  ]);
  expect(PLANS.map(yearlyDiscountPercent)).toEqual([0, 16, 26]);
});

test('an order has the server’s price, in rupees and paise', async () => {
  const user = await app.signUp();
  const body = { plan: 'pro', gateway: 'razorpay', period: 'yearly', amount: 1 } as const;
  const reply = await app.call(paymentRoutes.createOrder, { body }, user);
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^order_/),
    amount: 1999,
    amount_minor: 199_900,
    currency: 'INR',
  });
  expect(app.razorpay.orders.get(reply.body.id)).toMatchObject({ amount: 199_900, currency: 'INR' });
});

test('orders are idempotent by key, also after a lost response', async () => {
  const user = await app.signUp();
  const body = {
    plan: 'pro',
    gateway: 'razorpay',
    period: 'monthly',
    idempotency_key: 'click-0001',
  } as const;
  app.razorpay.failures.set(/orders$/, 'response_lost');
  const lost = await app.call(paymentRoutes.createOrder, { body }, user);
  expect([lost.status, lost.error?.message]).toEqual([
    503,
    'Failed to initialize payment. Please try again.',
  ]);
  app.razorpay.failures.clear();
  const orders = app.razorpay.orders.size;
  const [first, second] = await Promise.all([
    app.call(paymentRoutes.createOrder, { body }, user),
    app.call(paymentRoutes.createOrder, { body }, user),
  ]);
  expect(first.body.id).toBe(second.body.id);
  expect(app.razorpay.orders.size).toBe(orders);
  const other = await app.call(paymentRoutes.createOrder, { body: { ...body, period: 'yearly' } }, user);
  expect(other.status).toBe(409);
});

test('a verified payment activates the plan once, idempotently', async () => {
  const user = await app.signUp();
  const events: string[] = [];
  const stop = app.deps.events.subscribe('plan-changed', (event) => {
    if (event.userId === user.id) events.push(event.plan);
  });
  const orderId = await app.createOrder(user);
  const signed = app.razorpay.checkoutResult(orderId, app.razorpay.pay(orderId).id);
  const replies = await Promise.all([verify(user, signed), verify(user, signed), verify(user, signed)]);
  replies.push(await verify(user, signed));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  const now = await subscription(user);
  expect(now).toMatchObject({ plan: 'pro', effective_plan: 'pro', is_active: true, period: 'monthly' });
  expect(daysUntil(now.expires_at)).toBeGreaterThanOrEqual(28);
  expect(daysUntil(now.expires_at)).toBeLessThanOrEqual(31);
  expect((await app.call(accountRoutes.me, {}, user)).body.subscription_plan).toBe('pro');
  const history = (await app.call(paymentRoutes.history, {}, user)).body;
  expect(history).toHaveLength(1);
  expect(history[0]).toMatchObject({ amount: 199, amount_minor: 19_900, state: 'captured', refund: null });
  await expect.poll(() => events).toEqual(['pro']);
  stop();
});

test('an authorized payment is captured before activation', async () => {
  const user = await app.signUp();
  const orderId = await app.createOrder(user);
  const payment = app.razorpay.pay(orderId, { status: 'authorized' });
  expect((await verify(user, app.razorpay.checkoutResult(orderId, payment.id))).status).toBe(200);
  expect(app.razorpay.payments.get(payment.id)?.status).toBe('captured');
});

test('a plan can be canceled at period end, and a new payment resumes it', async () => {
  const user = await app.signUp();
  expect((await app.call(paymentRoutes.cancel, {}, user)).error?.reason).toBe('no_paid_plan');
  await app.subscribe(user);
  const downgrade = await app.call(paymentRoutes.changePlan, { body: { plan: 'free' } }, user);
  expect(downgrade.body).toMatchObject({ plan: 'pro', cancel_at_period_end: true });
  await app.subscribe(user);
  expect(await subscription(user)).toMatchObject({ plan: 'pro', cancel_at_period_end: false });
  expect((await app.call(paymentRoutes.cancel, {}, user)).body.cancel_at_period_end).toBe(true);
});

test('other plans return instructions', async () => {
  const user = await app.signUp();
  const change = (plan: 'free' | 'pro' | 'enterprise') =>
    app.call(paymentRoutes.changePlan, { body: { plan } }, user);
  expect((await change('pro')).error).toMatchObject({ code: 'bad_request', reason: 'payment_required' });
  expect((await change('enterprise')).error).toMatchObject({
    code: 'bad_request',
    reason: 'not_self_service',
  });
  expect((await change('free')).body.plan).toBe('free');
  expect((await subscription(user)).plan).toBe('free');
});

test('the trial grants Pro for 14 days, once, without changing the plan', async () => {
  const user = await app.signUp();
  expect((await subscription(user)).trial).toEqual({ available: true, ends_at: null });
  const [first, second] = await Promise.all([
    app.call(paymentRoutes.trial, {}, user),
    app.call(paymentRoutes.trial, {}, user),
  ]);
  expect([first.status, second.status].sort()).toEqual([200, 409]);
  const now = await subscription(user);
  expect(now).toMatchObject({ plan: 'free', effective_plan: 'pro', trial: { available: false } });
  expect(daysUntil(now.trial.ends_at)).toBe(14);
  expect(now.usage.projects.limit).toBe(10);
});

test('a fourth project exceeds Free, with instructions', async () => {
  const user = await app.signUp();
  for (const id of ['one', 'two', 'three']) {
    await app.deps.db
      .insertInto('projects')
      .values({ id: `${user.id}-${id}`, name: id, git_url: `https://example.com/${id}`, status: 'ready' })
      .execute();
    await app.deps.db
      .insertInto('project_members')
      .values({ project_id: `${user.id}-${id}`, user_id: user.id, role: 'owner' })
      .execute();
  }
  expect((await subscription(user)).usage.projects).toEqual({ used: 3, limit: 3 });
  const body = { name: 'four', git_url: 'https://169.254.169.254/four' };
  const refused = await app.call(projectRoutes.create, { body }, user);
  expect(refused.status).toBe(402);
  expect(refused.error).toMatchObject({ code: 'plan_limit', reason: 'plan_project_limit' });
  await app.subscribe(user);
  // Within the limit, only the URL is invalid.
  expect((await app.call(projectRoutes.create, { body }, user)).error?.reason).toBe('private_address');
});

test('an unreported payment is found by reconciliation, once', async () => {
  const user = await app.signUp();
  const orderId = await app.createOrder(user);
  app.razorpay.pay(orderId, { status: 'authorized' });
  await reconcileNow();
  expect((await subscription(user)).plan).toBe('free');
  app.advance(16 * 60);
  await reconcileNow();
  const after = await subscription(user);
  expect(after.plan).toBe('pro');
  await reconcileNow();
  expect(await subscription(user)).toEqual(after);
});

test('without payment keys nothing is limited, and checkout returns the specified message', async () => {
  const plain = await testApp();
  try {
    const user = await plain.signUp();
    expect((await plain.call(paymentRoutes.config, {})).body).toEqual({
      razorpay: { enabled: false, key_id: null, checkout_url: null },
    });
    const body = { plan: 'pro', gateway: 'razorpay' } as const;
    const order = await plain.call(paymentRoutes.createOrder, { body }, user);
    expect([order.status, order.error?.message]).toEqual([
      503,
      'Payment gateway is not available at the moment. Please try again later.',
    ]);
    const signed = app.razorpay.checkoutResult('order_1', 'pay_1');
    const verified = await plain.call(paymentRoutes.verify, { body: signed }, user);
    expect([verified.status, verified.error?.message]).toEqual([400, VERIFICATION_FAILED]);
    const now = (await plain.call(paymentRoutes.subscription, {}, user)).body;
    expect(now.usage.projects.limit).toBeNull();
    expect(now.trial.available).toBe(false);
    expect(
      (await plain.inject({ method: 'POST', url: '/api/payments/webhook', payload: '{}' })).statusCode,
    ).toBe(404);
  } finally {
    await plain.close();
  }
});

test('the eleventh attempt within a minute is rate-limited', async () => {
  const user = await app.signUp();
  const body = app.razorpay.checkoutResult('order_none', 'pay_none');
  for (let tries = 0; tries < 10; tries++) expect((await verify(user, body)).status).toBe(404);
  expect((await verify(user, body)).status).toBe(429);
});

test('verification reports an unavailable gateway', async () => {
  const user = await app.signUp();
  const orderId = await app.createOrder(user);
  const signed = app.razorpay.checkoutResult(orderId, app.razorpay.pay(orderId).id);
  app.razorpay.failures.set(/payments/, 'server_error');
  expect((await verify(user, signed)).status).toBe(503);
  expect((await subscription(user)).plan).toBe('free');
  app.razorpay.failures.clear();
  expect((await verify(user, signed)).status).toBe(200);
});

test('a payment captured with a lost response counts once', async () => {
  const user = await app.signUp();
  const orderId = await app.createOrder(user);
  const signed = app.razorpay.checkoutResult(orderId, app.razorpay.pay(orderId, { status: 'authorized' }).id);
  app.razorpay.failures.set(/capture$/, 'response_lost');
  expect((await verify(user, signed)).status).toBe(200);
  app.razorpay.failures.clear();
  const after = await subscription(user);
  expect(after.plan).toBe('pro');
  expect((await verify(user, signed)).status).toBe(200);
  expect(await subscription(user)).toEqual(after);
});

test('a refund ends the plan; an admin can refund other users’ payments', async () => {
  const user = await app.signUp();
  await app.subscribe(user);
  await app.subscribe(user);
  const [second, first] = (await app.call(paymentRoutes.history, {}, user)).body;
  const refund = (id: string, as: TestUser) => app.call(paymentRoutes.refund, { params: { id } }, as);
  const back = await refund(first!.id, user);
  expect(back.body).toMatchObject({
    state: 'refunded',
    refund: { state: 'processed' },
    refundable_until: null,
  });
  const kept = await subscription(user);
  expect(kept.plan).toBe('pro');
  expect(daysUntil(kept.expires_at)).toBeLessThanOrEqual(31);
  expect((await refund(second!.id, admin)).status).toBe(200);
  expect(await subscription(user)).toMatchObject({ plan: 'free', expires_at: null });
});

test('a refund with a lost response is completed under the same key', async () => {
  const user = await app.signUp();
  await app.subscribe(user);
  const [payment] = (await app.call(paymentRoutes.history, {}, user)).body;
  const before = app.razorpay.refunds.size;
  app.razorpay.failures.set(/refund$/, 'response_lost');
  const lost = await app.call(paymentRoutes.refund, { params: { id: payment!.id } }, user);
  expect(lost.status).toBe(503);
  app.razorpay.failures.clear();
  app.advance(16 * 60);
  await reconcileNow();
  const [after] = (await app.call(paymentRoutes.history, {}, user)).body;
  expect(after).toMatchObject({ state: 'refunded', refund: { state: 'processed' } });
  expect(app.razorpay.refunds.size).toBe(before + 1);
});

test('a payment event without news is acknowledged', async () => {
  const user = await app.signUp();
  const payment = await app.subscribe(user);
  const before = await subscription(user);
  expect(
    (await app.deliverWebhook(paymentEvent('payment.captured', payment), { id: 'late' })).statusCode,
  ).toBe(200);
  expect(await subscription(user)).toEqual(before);
});

test('a failed verification returns the specified message', async () => {
  const user = await app.signUp();
  const reply = await verify(user, app.razorpay.checkoutResult('order_none', 'pay_none'));
  expect(reply.error?.message).toBe(VERIFICATION_FAILED);
});

// Last, because it advances the clock past every session.
test('a plan expires, first in its entitlements and then in the database', async () => {
  const user = await app.signUp();
  await app.subscribe(user);
  await app.subscribe(user, 'yearly');
  const before = await subscription(user);
  expect(daysUntil(before.expires_at)).toBeGreaterThan(365 + 27);
  const ends = Date.parse(before.expires_at!);
  app.advance((ends - app.deps.now().getTime()) / 1000 + 1);
  const delayed = await app.deps.db
    .selectFrom('users')
    .select('subscription_plan')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(delayed.subscription_plan).toBe('pro');
  const again = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: new URLSearchParams({ username: user.email, password: user.password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const back = { ...user, accessToken: again.json().access_token };
  expect(await subscription(back)).toMatchObject({ plan: 'free', expires_at: null });
  await reconcileNow();
  expect((await app.call(accountRoutes.me, {}, back)).body.subscription_plan).toBe('free');
});

test('an order that fails at the gateway is counted, and holds up no other', async () => {
  const [first, second] = [await app.signUp(), await app.signUp()];
  const failing = await app.createOrder(first);
  app.razorpay.pay(failing);
  app.razorpay.pay(await app.createOrder(second));
  app.advance(16 * 60);
  const failures = async () => (await app.deps.metrics.reconciliationFailures.get()).values;
  app.razorpay.failures.set(new RegExp(failing), 'server_error');
  await reconcileNow();
  expect([(await subscription(first)).plan, (await subscription(second)).plan]).toEqual(['free', 'pro']);
  expect(await failures()).toEqual([expect.objectContaining({ labels: { kind: 'order' }, value: 1 })]);
  app.razorpay.failures.clear();
  await reconcileNow();
  expect((await subscription(first)).plan).toBe('pro');
});

test('a gateway that fails for every order fails the run', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => app.signUp()));
  for (const user of users) await app.createOrder(user);
  app.advance(16 * 60);
  app.razorpay.failures.set(/payments$/, 'server_error');
  await expect(reconcileNow()).rejects.toThrow();
  app.razorpay.failures.clear();
  await reconcileNow();
});
