import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notificationRoutes } from '#contract/notifications.ts';
import { webhookRoutes } from '#contract/webhooks.ts';
import { reserveModelBudget } from '../llm/model-budget.ts';
import { type PaymentsTestApp, paymentEvent, paymentsTestApp } from '../payments/testing.ts';
import { insertTestProject, type TestUser } from '../testing.ts';

let receiver: Server;
const received: { type: string; data: { project_id: string; url: string; message: string } }[] = [];
let app: PaymentsTestApp;
let ada: TestUser;
let ben: TestUser;
let project: string;
let webhook: string;

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body));
    reply.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await paymentsTestApp({ git: { ...git, allowedPrivateHosts: [host] } }, { work: true });
  [ada, ben] = [await app.signUp('ada'), await app.signUp('ben')];
  project = await insertTestProject(app.deps, [
    [ada, 'owner'],
    [ben, 'editor'],
  ]);
  const body = {
    kind: 'standard' as const,
    url: `http://${host}/hook`,
    events: ['payment.failed' as const, 'budget.used' as const],
  };
  webhook = (await app.call(webhookRoutes.create, { params: { id: project }, body }, ada)).body.id;
});
afterAll(async () => {
  await app?.close();
  receiver?.close();
});

/** Notifications about the plan of a user, by title. */
async function planNotificationsOf(user: TestUser) {
  const { body } = await app.call(notificationRoutes.list, { query: { about: 'plan' } }, user);
  return body.map(({ title, about, watch, action_url }) => ({ title, about, watch, action_url }));
}

async function deliveries() {
  const params = { id: project, webhook };
  return (await app.call(webhookRoutes.deliveries, { params, query: {} }, ada)).body.deliveries;
}

test('a failed payment notifies its user, and the webhooks of the projects that they own', async () => {
  const payment = app.razorpay.pay(await app.createOrder(ada), { status: 'failed' });
  await app.deliverWebhook(paymentEvent('payment.failed', payment), { id: 'failed-1' });
  await expect
    .poll(() => planNotificationsOf(ada))
    .toEqual([{ title: 'Your payment failed', about: 'plan', watch: null, action_url: '/subscription' }]);
  await expect.poll(() => deliveries()).toMatchObject([{ event: 'payment.failed', state: 'delivered' }]);
  expect(received).toMatchObject([
    { type: 'payment.failed', data: { project_id: project, url: expect.stringMatching(/\/subscription$/) } },
  ]);
  const other = app.razorpay.pay(await app.createOrder(ben), { status: 'failed' });
  await app.deliverWebhook(paymentEvent('payment.failed', other), { id: 'failed-2' });
  await expect.poll(() => planNotificationsOf(ben)).toHaveLength(1);
  expect(await planNotificationsOf(ada)).toHaveLength(1);
  expect(await deliveries()).toHaveLength(1);
});

test('a used budget notifies its user once, and the webhooks of the projects that they own', async () => {
  received.length = 0;
  const { deps } = app;
  const none = { day: null, month: null };
  deps.config.modelBudget = { tokens: { day: 30_000, month: null }, cost: none, prices: null };
  const answer = async (input: number) => {
    const reservation = await reserveModelBudget(deps, { userId: ada.id });
    if (!('settle' in reservation)) throw new Error('no budget');
    reservation.onUsage({ input, output: 0 });
    await reservation.settle();
  };
  await answer(1_000);
  await answer(31_000);
  await expect
    .poll(async () => (await planNotificationsOf(ada))[0])
    .toEqual({
      ...{ title: 'Your model budget is used up', about: 'plan', watch: null },
      action_url: '/settings',
    });
  await expect.poll(() => received).toHaveLength(1);
  expect(received).toMatchObject([{ type: 'budget.used', data: { project_id: project } }]);
  await expect
    .poll(async () => (await deliveries())[0])
    .toMatchObject({
      ...{ event: 'budget.used', state: 'delivered', status: 200 },
    });
  expect(await planNotificationsOf(ada)).toHaveLength(2);
});
