import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRoutes } from '#contract/payments.ts';
import type { TestUser } from '../testing.ts';
import { type PaymentsTestApp, paymentEvent, paymentsTestApp } from './testing.ts';
import { processWebhookEvent } from './webhook-events.ts';

let app: PaymentsTestApp;

beforeAll(async () => {
  app = await paymentsTestApp();
});
afterAll(() => app.close());

async function subscription(user: TestUser) {
  return (await app.call(paymentRoutes.subscription, {}, user)).body;
}

function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

const EVENT_TYPES = ['failed', 'authorized', 'captured', 'paid'] as const;

test('all 24 permutations of failed, authorized, captured and order.paid result in one paid month', async () => {
  for (const [index, permutation] of orders([...EVENT_TYPES]).entries()) {
    const user = await app.signUp();
    const payment = app.razorpay.pay(await app.createOrder(user));
    let wasPaid = false;
    for (const step of permutation) {
      const status = step === 'paid' ? 'captured' : step;
      const name = step === 'paid' ? 'order.paid' : `payment.${step}`;
      const reply = await app.deliverWebhook(paymentEvent(name, payment, status), { id: `${index}-${step}` });
      expect(reply.statusCode).toBe(200);
      wasPaid ||= status === 'captured';
      expect((await subscription(user)).plan, permutation.join(' ')).toBe(wasPaid ? 'pro' : 'free');
    }
    const history = (await app.call(paymentRoutes.history, {}, user)).body;
    expect(history.map((row) => row.state)).toEqual(['captured']);
  }
});

test('40 events, delivered ten times each, shuffled and 20 at once, have 40 effects', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => app.signUp()));
  const events: { id: string; event: object }[] = [];
  for (let index = 0; index < 10; index++) {
    for (const user of users) {
      const wait = index > 0 && index % 8 === 0;
      if (wait) await app.deps.db.deleteFrom('rate_limits').execute();
      const payment = app.razorpay.pay(await app.createOrder(user));
      events.push({ id: payment.id, event: paymentEvent('payment.captured', payment) });
    }
  }
  const deliveries = Array.from({ length: 10 }, () => events)
    .flat()
    .map((delivery, index) => ({ delivery, rank: (index * 7919) % 1009 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ delivery }) => delivery);
  const statuses = new Set<number>();
  const workers = Array.from({ length: 20 }, async () => {
    for (let next = deliveries.pop(); next; next = deliveries.pop()) {
      statuses.add((await app.deliverWebhook(next.event, { id: next.id })).statusCode);
    }
  });
  await Promise.all(workers);
  expect([...statuses]).toEqual([200]);
  for (const user of users) {
    expect((await app.call(paymentRoutes.history, {}, user)).body).toHaveLength(10);
    const months =
      (Date.parse((await subscription(user)).expires_at!) - Date.now()) / (30.44 * 24 * 3600_000);
    expect(Math.round(months)).toBe(10);
  }
});

test('events are deduplicated by id, or by body without one', async () => {
  const user = await app.signUp();
  const payment = app.razorpay.pay(await app.createOrder(user));
  const raw = Buffer.from(JSON.stringify(paymentEvent('payment.captured', payment)));
  const effects = [];
  for (const id of ['one', 'one', 'two', undefined, undefined]) {
    effects.push(await processWebhookEvent(app.deps, raw, id));
  }
  expect(effects).toEqual(['applied', 'repeated', 'applied', 'applied', 'repeated']);
});

test('a failed event is not recorded, so that its redelivery is processed', async () => {
  const user = await app.signUp();
  const payment = app.razorpay.pay(await app.createOrder(user));
  const raw = Buffer.from(JSON.stringify(paymentEvent('payment.captured', payment)));
  const broken = () => {
    throw new Error('the clock stands still');
  };
  let calls = 0;
  const now = () => (++calls > 1 ? broken() : new Date());
  await expect(processWebhookEvent({ ...app.deps, now }, raw, 'broken')).rejects.toThrow('clock');
  expect((await subscription(user)).plan).toBe('free');
  expect(await processWebhookEvent(app.deps, raw, 'broken')).toBe('applied');
  expect((await subscription(user)).plan).toBe('pro');
});

test('an external refund ends the plan, and an older event does not restore it', async () => {
  const user = await app.signUp();
  const payment = await app.subscribe(user);
  const refund = { id: 'rfnd_elsewhere', payment_id: payment.id, status: 'processed' };
  const event = paymentEvent('refund.processed', payment, 'refunded') as { payload: object };
  await app.deliverWebhook({ ...event, payload: { ...event.payload, refund: { entity: refund } } });
  expect((await subscription(user)).plan).toBe('free');
  await app.deliverWebhook(paymentEvent('payment.captured', payment, 'captured'));
  expect((await subscription(user)).plan).toBe('free');
});

test('unrelated events are acknowledged', async () => {
  const event = { event: 'invoice.paid', payload: { invoice: { entity: { id: 'inv_1' } } } };
  expect((await app.deliverWebhook(event)).statusCode).toBe(200);
});
