import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRoutes } from '#contract/admin.ts';
import { intakeRoutes } from '#contract/intake.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { intakeCleanupJob } from './cleanup-tasks.ts';
import { createEventWriter } from './event-writer.ts';
import { envelopeOf, type IntakeApp, openIntakeApp } from './testing-intake.ts';

let app: IntakeApp;
beforeAll(async () => {
  const limits = { ...DEFAULT_RATE_LIMITS, eventsPerProject: { max: 30, seconds: 60 } };
  app = await openIntakeApp({ config: { limits, publicUrl: 'https://hindsight.example' } });
});
afterAll(() => app.close());

const params = () => ({ id: app.project.id });
const eventOf = (id: string, fields: object = {}) => ({
  event_id: id.repeat(32),
  exception: { values: [{ type: 'E', value: id }] },
  ...fields,
});
const send = async (payload: string, { key = app.intake.key, headers = {}, to = 'envelope/' } = {}) =>
  await app.inject({
    method: 'POST',
    url: `/api/${app.project.number}/${to}`,
    payload,
    headers: {
      host: 'hindsight.example',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}`,
      ...headers,
    },
  });
const countsOf = async () => {
  const { body } = await app.call(intakeRoutes.get, { params: params() }, app.ada);
  return Object.fromEntries(body.counts.map(({ outcome, count }) => [outcome, count]));
};

test('the settings contain the DSN and the URLs, by the public URL', async () => {
  const { key } = app.intake;
  expect(app.intake).toMatchObject({
    dsn: `https://${key}@hindsight.example/${app.project.number}`,
    otlp_endpoint: `https://hindsight.example/api/${app.project.number}/otlp`,
    events_url: `https://hindsight.example/api/${app.project.number}/store/`,
    enabled: true,
    retention_days: 90,
    scrub_defaults: true,
    last_event_at: null,
  });
  expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test('items that are not errors are accepted, dropped and counted', async () => {
  const items = ['session', 'transaction', 'replay_event', 'attachment', 'profile', 'check_in']
    .map((type) => `{"type":"${type}","length":2}\n{}\n`)
    .join('');
  const reply = await send(`${envelopeOf(eventOf('1'), { event_id: '1'.repeat(32) })}${items}`);
  expect([reply.statusCode, reply.json()]).toEqual([200, { id: '1'.repeat(32) }]);
  expect(await countsOf()).toEqual({
    accepted: 1,
    session: 1,
    transaction: 1,
    replay: 1,
    attachment: 1,
    profile: 1,
    other: 1,
  });
});

test('a page of any origin may send, without credentials', async () => {
  const origin = { origin: 'https://shop.example', host: 'hindsight.example' };
  const url = `/api/${app.project.number}/envelope/`;
  const preflight = await app.inject({
    method: 'OPTIONS',
    url,
    headers: { ...origin, 'access-control-request-method': 'POST' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
  });
  const refused = await app.inject({
    method: 'POST',
    url: `${url}?sentry_key=0`,
    payload: '{}',
    headers: origin,
  });
  expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*']);
  expect(refused.headers['access-control-allow-credentials']).toBeUndefined();
});

test('scrubbing follows the settings of the project', async () => {
  await app.call(intakeRoutes.update, { params: params(), body: { scrub_fields: ['tenant'] } }, app.ada);
  await send(envelopeOf(eventOf('2', { message: 'a@b.co tenant=acme', user: { email: 'a@b.co' } })));
  await app.call(
    intakeRoutes.update,
    { params: params(), body: { scrub_defaults: false, scrub_fields: [] } },
    app.ada,
  );
  await send(envelopeOf(eventOf('3', { message: 'a@b.co tenant=acme' })));
  const messages = (await app.events()).map(({ message }) => message);
  expect(messages).toEqual([null, '[Filtered] tenant=[Filtered]', 'a@b.co tenant=acme']);
  const wrong = await app.call(
    intakeRoutes.update,
    { params: params(), body: { scrub_fields: ['a b'] } },
    app.ada,
  );
  expect([wrong.status, Object.keys(wrong.error?.fields ?? {})]).toEqual([
    422,
    ['body.scrub_fields.0'.replace('body.', '')],
  ]);
});

test('a replaced key is refused, a disabled intake not found, and both are in the audit log', async () => {
  const { key } = app.intake;
  const { body } = await app.call(intakeRoutes.rotate, { params: params() }, app.ada);
  app.intake.key = body.key!;
  expect((await send(envelopeOf(eventOf('4')), { key })).statusCode).toBe(401);
  expect((await send(envelopeOf(eventOf('4')))).statusCode).toBe(200);
  await app.call(intakeRoutes.update, { params: params(), body: { enabled: false } }, app.ada);
  expect((await send(envelopeOf(eventOf('5')))).statusCode).toBe(404);
  expect((await app.call(intakeRoutes.test, { params: params() }, app.ada)).status).toBe(409);
  await app.call(intakeRoutes.create, { params: params() }, app.ada);
  expect((await send(envelopeOf(eventOf('5')))).statusCode).toBe(200);
  const rows = await app.deps.db
    .selectFrom('audit_events')
    .select('event')
    .where(sql<boolean>`event like 'intake%'`)
    .execute();
  expect(rows.map(({ event }) => event).sort()).toEqual([
    ...['intake_disabled', 'intake_enabled', 'intake_enabled', 'intake_key_rotated'],
    ...['intake_settings_changed', 'intake_settings_changed'],
  ]);
});

test('the test event goes through the intake', async () => {
  const { status, body } = await app.call(intakeRoutes.test, { params: params() }, app.ada);
  expect(status).toBe(201);
  expect((await app.events()).find(({ id }) => id === body.id)).toMatchObject({
    exceptions: [{ type: 'TestEvent' }],
  });
});

test('an administrator can turn the intake off', async () => {
  await app.call(adminRoutes.updateFeatures, { body: { error_intake: false } }, app.ada);
  app.advance(2);
  const reply = await send(envelopeOf(eventOf('6')));
  expect([reply.statusCode, reply.json().error.reason]).toEqual([503, 'feature_disabled']);
  expect(reply.headers).toMatchObject({ 'retry-after': '600', 'x-sentry-rate-limits': '600::organization' });
  await app.call(adminRoutes.updateFeatures, { body: { error_intake: true } }, app.ada);
  app.advance(2);
});

test('beyond the limit SDKs learn when to try again', async () => {
  const statuses: number[] = [];
  let last: Awaited<ReturnType<typeof send>> | undefined;
  for (let index = 0; index < 40; index++) {
    last = await send(JSON.stringify(eventOf('7')), { to: 'store/' });
    statuses.push(last.statusCode);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const { 'retry-after': seconds, 'x-sentry-rate-limits': limits } = last!.headers;
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(limits).toBe(`${seconds}::organization`);
  expect((await countsOf()).rate_limited).toBe(statuses.filter((status) => status === 429).length);
  app.advance(61);
  expect((await send(JSON.stringify(eventOf('8')), { to: 'store/' })).statusCode).toBe(200);
});

test('a full queue refuses events, and one that the database refuses does not take others with it', async () => {
  const EVENT = '{"at":"2026-01-01T00:00:00Z"}';
  const stored: string[] = [];
  const writer = createEventWriter({
    db: app.deps.db,
    maxPendingBytes: 100,
    onStored: (ids) => stored.push(...ids),
  });
  const row = (id: string, event: string) => ({
    projectId: app.project.id,
    id,
    receivedAt: new Date(),
    at: new Date().toISOString(),
    event,
  });
  await expect(writer.write([row('big', 'x'.repeat(101))])).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 5,
  });
  const results = await Promise.allSettled([
    writer.write([row('first', EVENT)]),
    writer.write([row('good', EVENT)]),
    writer.write([row('bad', '{')]),
    writer.write([{ ...row('gone', EVENT), projectId: 'deleted' }]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(stored).toContain(app.project.id);
  expect(writer.hasRoom).toBe(true);
});

test('the cleanup deletes events after the retention of the project', async () => {
  const { db } = app.deps;
  const before = (await app.events()).length;
  const old = new Date(Date.now() - 10 * 86_400_000);
  await db.updateTable('error_events').set({ received_at: old }).where('id', '=', '1'.repeat(32)).execute();
  await app.call(intakeRoutes.update, { params: params(), body: { retention_days: 7 } }, app.ada);
  const jobs = { ...app.deps.jobs, send: async () => true };
  await intakeCleanupJob({ ...app.deps, jobs }).run({}, { signal: new AbortController().signal } as never);
  expect((await app.events()).length).toBe(before - 1);
});
