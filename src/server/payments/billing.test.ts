import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billingRoutes } from '#contract/billing.ts';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { ideRoutes } from '#contract/ide.ts';
import { memberRoutes } from '#contract/members.ts';
import { paymentRoutes } from '#contract/payments.ts';
import { projectRoutes } from '#contract/projects.ts';
import { refreshDueProjects } from '../projects/schedule-tasks.ts';
import { insertTestProject, type TestUser } from '../testing.ts';
import { createRazorpay } from './gateway.ts';
import { reconcilePayments } from './reconciliation-tasks.ts';
import { type PaymentsTestApp, paymentsTestApp } from './testing.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

const log = pino({ level: 'silent' });

let app: PaymentsTestApp;

beforeAll(async () => {
  const seller = { name: 'Hindsight Ltd', address: '1 Harbour Road\nPune', tax_id: 'GSTIN 27AAAA' };
  app = await paymentsTestApp(
    { invoicing: { seller, tax: { name: 'GST', percent: 18 } }, publicUrl: 'https://hindsight.example' },
    { work: true },
  );
  await app.signUp('admin');
});
afterAll(() => app.close());

async function usageOf(user: TestUser) {
  return (await app.call(billingRoutes.usage, {}, user)).body;
}

async function reconcileNow(): Promise<void> {
  await reconcilePayments({ ...app.deps, log, gateway: createRazorpay(app.razorpay.config) });
}

async function readEmails(to: string, subject: string): Promise<string[]> {
  const folder = join(app.deps.config.dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const emails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return emails.filter((email) => email.includes(`\nTo: ${to}\n`) && email.includes(`Subject: ${subject}`));
}

/** Projects of a user, oldest first. */
async function insertProjects(user: TestUser, count: number): Promise<string[]> {
  const ids = [];
  for (let index = 0; index < count; index++)
    ids.push(await insertTestProject(app.deps, [[user, 'owner']], { name: `Project ${index}` }));
  return ids;
}

test('a payment has an invoice with the details of its time, and a refund a credit note', async () => {
  const user = await app.signUp();
  const details = { name: 'Ada GmbH', address: 'Hafen 1\n20457 Hamburg', country: 'DE', tax_id: 'DE123' };
  expect((await app.call(billingRoutes.saveDetails, { body: details }, user)).body).toEqual(details);
  await app.subscribe(user);
  await app.call(billingRoutes.saveDetails, { body: { ...details, name: 'Ada SE' } }, user);
  const [payment] = (await app.call(paymentRoutes.history, {}, user)).body;
  await app.call(paymentRoutes.refund, { params: { id: payment!.id } }, user);
  const { invoices } = (await app.call(billingRoutes.invoices, { query: {} }, user)).body;
  expect(invoices.map(({ kind, amount_minor }) => [kind, amount_minor])).toEqual([
    ['credit_note', 19_900],
    ['invoice', 19_900],
  ]);
  const [note, invoice] = await Promise.all(
    invoices.map(async ({ id }) => (await app.call(billingRoutes.invoice, { params: { id } }, user)).body),
  );
  expect(invoice).toMatchObject({
    number: expect.stringMatching(/^\d{4}-\d{6}$/),
    ...{ net_minor: 16_864, tax_minor: 3_036, tax: { name: 'GST', percent: 18 } },
    ...{ buyer: details, seller: { name: 'Hindsight Ltd' }, corrects: null },
    gateway_payment_id: payment!.gateway_payment_id,
  });
  expect(note).toMatchObject({ corrects: invoice!.number, buyer: details, tax_minor: 3_036 });
  const other = await app.signUp();
  const foreign = await app.call(billingRoutes.invoice, { params: { id: invoice!.id } }, other);
  expect(foreign.status).toBe(404);
  await expect.poll(async () => await readEmails(user.email, 'Your Hindsight invoice')).toHaveLength(2);
});

test('details for invoices refuse control characters and unknown forms of a country', async () => {
  const user = await app.signUp();
  const body = { name: 'Ada\nBcc: x', address: 'a\u0007', country: 'Germany', tax_id: 'x'.repeat(51) };
  const refused = await app.call(billingRoutes.saveDetails, { body }, user);
  expect([refused.status, Object.keys(refused.error?.fields ?? {}).sort()]).toEqual([
    422,
    ['address', 'country', 'name', 'tax_id'],
  ]);
});

test('when a trial ends the oldest projects become read-only, and an upgrade makes them writable', async () => {
  const user = await app.signUp();
  await app.call(paymentRoutes.trial, {}, user);
  const ids = await insertProjects(user, 5);
  const [oldest = '', second = ''] = ids;
  const readOnly = async () =>
    (await usageOf(user)).owned.filter(({ read_only }) => read_only).map(({ id }) => id);
  expect(await readOnly()).toEqual([]);
  app.advance(14 * DAY_S + 1);
  user.accessToken = (await app.signIn(user)).accessToken;
  expect(await readOnly()).toEqual([second, oldest]);
  const params = { id: oldest };
  const refused = await Promise.all([
    app.call(projectRoutes.update, { params, body: { name: 'New' } }, user),
    app.call(projectRoutes.refresh, { params }, user),
    app.call(memberRoutes.invite, { params, body: { role: 'viewer' } }, user),
    app.call(
      ideRoutes.save,
      { params: { id: oldest, '*': 'a.txt' }, body: { content: 'x', base_sha: null } as never },
      user,
    ),
    app.call(
      errorGroupRoutes.setState,
      { params: { id: oldest, error: 'none' }, body: { state: 'solved' } },
      user,
    ),
  ]);
  expect(refused.map(({ status, error }) => [status, error?.reason])).toEqual(
    refused.map(() => [402, 'plan_read_only']),
  );
  // Reading goes on, and says so.
  expect((await app.call(projectRoutes.get, { params }, user)).body.read_only_by_plan).toBe(true);
  const stranger = await app.signUp();
  expect((await app.call(projectRoutes.update, { params, body: { name: 'x' } }, stranger)).status).toBe(404);
  // A schedule skips it.
  await app.deps.db.updateTable('projects').set({ refresh_hours: 1 }).where('id', 'in', ids).execute();
  const refreshed = await refreshDueProjects(app.deps);
  expect(ids.filter((id) => refreshed.includes(id))).toEqual(ids.slice(2));

  const choose = async (project_ids: string[]) =>
    await app.call(billingRoutes.chooseProjects, { body: { project_ids } }, user);
  expect((await choose(ids.slice(0, 4))).status).toBe(400);
  expect((await choose([await insertTestProject(app.deps, [[stranger, 'owner']])])).status).toBe(404);
  const chosen = await choose([oldest]);
  expect(chosen.status).toBe(200);
  expect(await readOnly()).toEqual([ids[2], second]);
  expect((await choose([second])).error?.reason).toBe('choice_locked');
  expect((await app.call(projectRoutes.update, { params, body: { name: 'New' } }, user)).status).toBe(200);

  // Removing is allowed, and makes room for another.
  expect((await app.call(projectRoutes.remove, { params: { id: ids[2]! } }, user)).status).toBe(200);
  expect(await readOnly()).toEqual([second]);
  await app.subscribe(user);
  expect(await readOnly()).toEqual([]);
});

test('usage counts projects, commits shown and answers of the month', async () => {
  const user = await app.signUp();
  await insertProjects(user, 2);
  expect(await usageOf(user)).toMatchObject({
    plan: 'free',
    projects: { used: 2, limit: 3 },
    commits: { shown: 0, total: 0, limit: 100, days: 30 },
    answers: { used: 0, limit: null },
    owned: [{ name: 'Project 1', read_only: false }, { name: 'Project 0' }],
    choice_locked_until: null,
  });
});

test('a user is reminded once before the trial ends, also when the clock jumps', async () => {
  const user = await app.signUp();
  const events: string[] = [];
  const stop = app.deps.events.subscribe('trial-ending', (event) => {
    if (event.userId === user.id) events.push(event.endsAt);
  });
  const { trial } = (await app.call(paymentRoutes.trial, {}, user)).body;
  await reconcileNow();
  app.advance(11 * DAY_S);
  for (const offset of [0, HOUR_S, -2 * HOUR_S, HOUR_S]) {
    app.advance(offset);
    await reconcileNow();
  }
  await expect
    .poll(async () => await readEmails(user.email, 'Your Hindsight trial ends soon'))
    .toHaveLength(1);
  await expect.poll(() => events).toEqual([trial.ends_at]);
  stop();
});

test('a plan that a clock an hour ahead has ended goes on when the clock is right', async () => {
  const user = await app.signUp();
  await app.subscribe(user);
  const plan = async () =>
    await app.deps.db
      .selectFrom('users')
      .innerJoin('subscriptions', 'subscriptions.user_id', 'users.id')
      .select(['users.subscription_plan', 'subscriptions.plan', 'subscriptions.expires_at'])
      .where('users.id', '=', user.id)
      .executeTakeFirstOrThrow();
  const before = await plan();
  const untilEnd = (before.expires_at!.getTime() - app.deps.now().getTime()) / 1000;
  app.advance(untilEnd + HOUR_S / 2);
  await reconcileNow();
  expect(await plan()).toMatchObject({ subscription_plan: 'free', plan: 'free' });
  app.advance(-HOUR_S);
  await reconcileNow();
  expect(await plan()).toEqual(before);
});

test('a payment that fails is an event, once', async () => {
  const user = await app.signUp();
  const failures: string[] = [];
  const stop = app.deps.events.subscribe('payment-failed', (event) => {
    if (event.userId === user.id) failures.push(event.paymentId);
  });
  const payment = app.razorpay.pay(await app.createOrder(user), { status: 'failed' });
  const event = (id: string) => ({
    event: 'payment.failed',
    payload: { payment: { entity: payment } },
    id,
  });
  for (const id of ['failed-1', 'failed-2']) await app.deliverWebhook(event(id), { id });
  await expect.poll(() => failures).toHaveLength(1);
  stop();
});

test('a message to sales reaches the administrators as text, with its sender for replies', async () => {
  const message = 'We are 40 people.\n<script>alert(1)</script>\nBcc: all@example.org';
  const body = { name: 'Grace', company: 'Navy', email: 'grace@example.org', message };
  const send = async (input: typeof body, ip = '192.0.2.1') =>
    await app.inject({
      method: 'POST',
      url: '/api/payments/contact-sales',
      payload: input,
      remoteAddress: ip,
    });
  expect((await send(body)).statusCode).toBe(200);
  const subject = 'Message about Hindsight Enterprise';
  await expect.poll(async () => await readEmails('admin@example.org', subject)).toHaveLength(1);
  const [email = ''] = await readEmails('admin@example.org', subject);
  const [head = ''] = email.split('\n\n');
  expect(head).toContain('Reply-To: grace@example.org');
  expect(head).not.toContain('Bcc');
  expect(email).toContain('> Grace, Navy <grace@example.org>\n> We are 40 people.\n> <script>');
  const hostile = [
    { ...body, name: 'Grace\r\nBcc: all@example.org' },
    { ...body, email: 'grace@example.org\nBcc: x@example.org' },
    { ...body, message: 'x'.repeat(4001) },
    { ...body, message: '\u0000' },
  ];
  for (const [index, input] of hostile.entries())
    expect((await send(input, `192.0.2.${index + 10}`)).statusCode).toBe(422);
  const statuses = [];
  for (let tries = 0; tries < 6; tries++) statuses.push((await send(body, '192.0.2.99')).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
