import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { type ErrorChange, errorGroupRoutes } from '#contract/error-groups.ts';
import { errorMergingRoutes } from '#contract/error-merging.ts';
import { errorValueRoutes } from '#contract/error-values.ts';
import { releaseRoutes } from '#contract/releases.ts';
import { newId } from '#db/ids.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { groupEventsJob } from './group-events-tasks.ts';

/** Work of members on errors: release-bound snoozing, regressions, splits of events, filter values, similar errors, deletion. */

let app: TestApp;
let ada: TestUser;
let ben: TestUser;
let eve: TestUser;
let shop: string;

beforeAll(async () => {
  app = await testApp();
  [ada, ben, eve] = [await app.signUp('ada'), await app.signUp('ben'), await app.signUp('eve')];
  shop = newId();
  const row = { id: shop, name: 'shop', git_url: 'https://git.example/shop', status: 'ready' } as const;
  await app.deps.db.insertInto('projects').values(row).execute();
  const members = [
    { project_id: shop, user_id: ada.id, role: 'owner' as const },
    { project_id: shop, user_id: ben.id, role: 'viewer' as const },
  ];
  await app.deps.db.insertInto('project_members').values(members).execute();
});
afterAll(() => app.close());

let sent = 0;

/** An event of `symbol` in `shop/cart.py`, one second after the one before. */
function event(symbol: string, more: Partial<ErrorEvent> = {}): ErrorEvent {
  sent += 1;
  const frames = [
    { path: 'shop/cart.py', absPath: '/srv/app/shop/cart.py', line: sent, symbol, inApp: true },
  ];
  return {
    id: createHash('md5').update(String(sent)).digest('hex'),
    source: 'sentry',
    platform: 'python',
    at: new Date(Date.now() - 60_000 + sent * 1000).toISOString(),
    level: 'error',
    message: null,
    exceptions: [{ type: 'KeyError', value: `item ${sent} of the cart is missing`, frames }],
    tags: { region: `eu-${sent % 2}`, browser: 'Firefox 140' },
    breadcrumbs: [],
    contexts: {},
    extra: {},
    debugImages: [],
    ...more,
  };
}

async function receive(...events: ErrorEvent[]) {
  const rows = events.map((one) => ({
    ...{ project_id: shop, id: one.id, occurred_at: new Date(one.at), event: JSON.stringify(one) },
  }));
  await app.deps.db.insertInto('error_events').values(rows).execute();
  const context = {
    signal: new AbortController().signal,
    attempt: 1,
    isClaimed: async () => true,
    isCancelled: async () => false,
  };
  const jobs = { ...app.deps.jobs, send: async () => true };
  await groupEventsJob({ ...app.deps, jobs }).run({ project_id: shop }, context);
}

const list = async (query: Record<string, string> = {}) =>
  (await app.call(errorGroupRoutes.ofProject, { params: { id: shop }, query }, ada)).body.errors;
const byCulprit = async (symbol: string) =>
  (await list()).find(({ culprit }) => culprit?.startsWith(`${symbol} `))!;
const detail = async (error: string) =>
  (await app.call(errorGroupRoutes.get, { params: { id: shop, error } }, ada)).body;
const change = (error: string, body: ErrorChange) =>
  app.call(errorGroupRoutes.setState, { params: { id: shop, error }, body }, ada);
const later = (release: string) =>
  event('total', { release, at: new Date(Date.now() + sent * 1000).toISOString() });

test('snoozing ends with an event of a newer release, and undo restores it', async () => {
  await receive(event('total', { release: 'shop@1.9.0', environment: 'prod' }), event('total'));
  const { id } = await byCulprit('total');
  const snoozed = await change(id, { state: 'snoozed', snooze: { after_release: 'shop@1.9.0' } });
  const snooze = { until: null, events: null, after_release: 'shop@1.9.0' };
  expect(snoozed.body).toMatchObject({ state: 'snoozed', snooze });
  await receive(later('shop@1.9.0'), later('shop@1.8.7'), event('total'));
  expect(await byCulprit('total')).toMatchObject({ state: 'snoozed', snooze });
  const { body } = await change(id, { state: 'open' });
  expect(body.previous).toMatchObject({ state: 'snoozed', snooze });
  await change(id, { state: body.previous.state, snooze: body.previous.snooze });
  await receive(later('shop@1.10.0'));
  expect(await byCulprit('total')).toMatchObject({ state: 'open', snooze: null });
});

test('an error that the next release solves comes back in a later one only', async () => {
  const { id } = await byCulprit('total');
  for (const both of [{ solved_in: 'a', solved_after: 'b' }])
    expect((await change(id, { state: 'solved', ...both })).status).toBe(422);
  const { body } = await change(id, { state: 'solved', solved_after: 'shop@1.10.0' });
  expect(body).toMatchObject({ solved_in: null, solved_after: 'shop@1.10.0' });
  const unnamed = event('total', { at: new Date(Date.now() + sent * 1000).toISOString() });
  await receive(later('shop@1.10.0'), unnamed);
  expect((await byCulprit('total')).state).toBe('solved');
  await receive(later('shop@1.10.1'));
  expect(await byCulprit('total')).toMatchObject({ state: 'regressed', solved_after: null });
});

test('a release counts the solved errors that came back in it', async () => {
  const { id } = await byCulprit('total');
  for (const release of ['shop@2.0.0', 'shop@2.0.0', 'shop@2.1.0']) {
    await change(id, { state: 'solved' });
    await receive(later(release));
  }
  const { releases } = (await app.call(releaseRoutes.list, { params: { id: shop }, query: {} }, ben)).body;
  expect(Object.fromEntries(releases.map((one) => [one.version, one.regressed_errors]))).toMatchObject({
    ...{ 'shop@2.0.0': 1, 'shop@2.1.0': 1, 'shop@1.10.0': 0 },
  });
  expect((await list({ regressed_in: 'shop@2.0.0' })).map((error) => error.id)).toEqual([id]);
  expect(await list({ regressed_in: 'shop@1.10.0' })).toEqual([]);
  expect((await detail(id)).releases.map(({ version }) => version)).not.toContain(undefined);
});

test('filters offer the values of the projects of their reader', async () => {
  const values = async (query: Record<string, string>, user = ben) => {
    const { body } = await app.call(errorValueRoutes.list, { query: query as never }, user);
    return body.values.map(({ value }) => value);
  };
  expect(await values({ field: 'environment' })).toEqual(['prod']);
  expect(await values({ field: 'release', q: '2.' })).toEqual(['shop@2.0.0', 'shop@2.1.0']);
  expect(await values({ field: 'release', q: '%' })).toEqual([]);
  expect(await values({ field: 'tag', q: 're' })).toEqual(['region:']);
  expect(await values({ field: 'tag', q: 'browser:fire' })).toEqual(['browser:Firefox 140']);
  expect(await values({ field: 'tag', q: 'region:', project_id: shop })).toHaveLength(2);
  expect(await values({ field: 'environment' }, eve)).toEqual([]);
  const input = { params: { id: shop }, query: { field: 'environment' as const } };
  expect((await app.call(errorValueRoutes.ofProject, input, ben)).body.values).toEqual([
    { value: 'prod', count: 1 },
  ]);
  expect((await app.call(errorValueRoutes.ofProject, input, eve)).status).toBe(404);
});

test('similar errors share type, words or place', async () => {
  const other = { type: 'ValueError', value: 'no such currency', frames: [] };
  await receive(event('pay'), event('refund', { exceptions: [other] }));
  const { id } = await byCulprit('total');
  const params = { id: shop, error: id };
  const { body } = await app.call(errorMergingRoutes.similar, { params }, ben);
  expect(body.errors.map(({ error, shared }) => [error.culprit, shared])).toEqual([
    ['pay · shop/cart.py', ['type', 'message', 'file']],
  ]);
  expect((await app.call(errorMergingRoutes.similar, { params }, eve)).status).toBe(404);
});

test('one event is split off with its counts, and a merge puts it back', async () => {
  const before = await detail((await byCulprit('total')).id);
  const [newest] = (
    await app.call(errorGroupRoutes.events, { params: { id: shop, error: before.error.id }, query: {} }, ada)
  ).body.events;
  const split = (body: object, user = ada) =>
    app.call(
      errorMergingRoutes.split,
      { params: { id: shop, error: before.error.id }, body: body as never },
      user,
    );
  for (const body of [{}, { keys: ['x'], event: newest!.id }, { event: newest!.id, into: before.error.id }])
    expect((await split(body)).status).toBe(422);
  expect((await split({ event: newest!.id }, ben)).status).toBe(409);
  expect((await split({ event: 'unknown' })).status).toBe(404);
  const { body } = await split({ event: newest!.id });
  const [alone, rest] = [await detail(body.id), await detail(before.error.id)];
  expect(alone.error).toMatchObject({ count: 1, event_count: 1, last_release: 'shop@2.1.0' });
  expect(alone.latest!.id).toBe(newest!.id);
  expect(alone.releases).toMatchObject([{ version: 'shop@2.1.0', count: 1 }]);
  expect(rest.error.count).toBe(before.error.count - 1);
  expect(rest.days.reduce((sum, count) => sum + count)).toBe(before.error.count - 1);
  expect(rest.hours.reduce((sum, count) => sum + count)).toBe(before.error.count - 1);
  expect(rest.releases.map(({ version }) => version)).not.toContain('shop@2.1.0');
  expect(new Date(rest.error.last_seen).getTime()).toBeLessThan(Date.parse(before.error.last_seen));
  const only = { params: { id: shop, error: body.id }, body: { event: newest!.id } };
  expect((await app.call(errorMergingRoutes.split, only, ada)).status).toBe(400);
  const merge = { params: { id: shop, error: before.error.id }, body: { errors: [body.id] } };
  await app.call(errorMergingRoutes.merge, merge, ada);
  const joined = await detail(before.error.id);
  expect(joined.error).toMatchObject({ count: before.error.count, last_seen: before.error.last_seen });
  expect(joined.keys).toHaveLength(2);
  expect(joined.releases).toEqual(before.releases);
});

test('deleted errors take their events along; a further event is a new error', async () => {
  const total = await byCulprit('total');
  const params = { id: shop, error: total.id };
  const remove = (errors: string[], user = ada) =>
    app.call(errorGroupRoutes.removeMany, { body: { errors } }, user);
  expect((await app.call(errorGroupRoutes.remove, { params }, ben)).status).toBe(409);
  expect((await remove([total.id], eve)).status).toBe(404);
  expect((await remove([total.id, 'unknown'])).status).toBe(404);
  expect((await app.call(errorGroupRoutes.remove, { params }, ada)).status).toBe(200);
  expect((await app.call(errorGroupRoutes.get, { params }, ada)).status).toBe(404);
  const stored = await app.deps.db.selectFrom('error_events').select('event').execute();
  expect(stored).toHaveLength(2);
  // Nothing of what was merged into it comes back.
  expect((await list({ state: 'open' })).map(({ title }) => title.split(':')[0])).toEqual([
    'ValueError',
    'KeyError',
  ]);
  await receive(event('total'));
  const again = await byCulprit('total');
  expect(again).toMatchObject({ count: 1, state: 'open' });
  expect(again.id).not.toBe(total.id);
  expect((await remove([again.id, (await byCulprit('pay')).id])).body).toEqual({ deleted: 2 });
  const { events } = (await app.call(auditRoutes.mine, { query: { limit: '2' } }, ada)).body;
  expect(events).toMatchObject([
    { event: 'errors_deleted', detail: { project: 'shop', errors: '2' } },
    { event: 'errors_deleted', detail: { project: 'shop', errors: '1' } },
  ]);
});

test('a title that ends within a character is stored', async () => {
  const value = `${'x'.repeat(289)}${'😀'.repeat(20)}`;
  await receive(event('smile', { exceptions: [{ type: 'KeyError', value, frames: [] }] }));
  expect((await list({ q: 'xxxxx' }))[0]!.title.isWellFormed()).toBe(true);
});
