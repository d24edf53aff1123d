import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { type ErrorChange, errorGroupRoutes } from '#contract/error-groups.ts';
import { errorMergingRoutes } from '#contract/error-merging.ts';
import { newId } from '#db/ids.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { eventText } from '#intake/event-text.ts';
import { errorFingerprint } from '#investigate/trace/fingerprint.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { groupEventsJob } from './group-events-tasks.ts';
import { investigateNow } from './investigate-group-tasks.ts';
import { saveSession } from './queries.ts';
import { recordOccurrence } from './record-occurrences.ts';
import { errorUpkeepJob } from './upkeep-tasks.ts';

/** Events after they are stored: groups, counts, states, merges and notifications. */

let app: TestApp;
let ada: TestUser;
let ben: TestUser;
let shop: string;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
  ben = await app.signUp('ben');
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

/** An event of `symbol` in `file`, as an SDK sends it, one second after the one before. */
function event(symbol: string, more: Partial<ErrorEvent> = {}): ErrorEvent {
  sent += 1;
  const frames = [
    { path: 'shop/cart.py', absPath: '/srv/app/shop/cart.py', line: 10 + sent, symbol, inApp: true },
    { path: 'flask/app.py', absPath: '/usr/lib/python3/dist-packages/flask/app.py', line: 1, symbol: 'run' },
  ];
  return {
    id: createHash('md5').update(String(sent)).digest('hex'),
    source: 'sentry',
    platform: 'python',
    at: new Date(Date.now() - 60_000 + sent * 1000).toISOString(),
    level: 'error',
    message: null,
    exceptions: [{ type: 'KeyError', value: `'item ${sent}'`, frames }],
    tags: { region: `eu-${sent % 2}` },
    breadcrumbs: [{ message: `step ${sent}` }],
    contexts: {},
    extra: {},
    debugImages: [],
    ...more,
  };
}

async function receive(...events: ErrorEvent[]) {
  await app.deps.db
    .insertInto('error_events')
    .values(
      events.map((one) => ({
        ...{ project_id: shop, id: one.id, occurred_at: new Date(one.at), event: JSON.stringify(one) },
      })),
    )
    .execute();
  await group();
}

/** Jobs that were asked for; none runs here. */
const requested: string[] = [];

function depsWithJobs() {
  const send = async (name: string) => requested.push(name) > 0;
  return { ...app.deps, jobs: { ...app.deps.jobs, send } };
}

async function group() {
  const context = {
    signal: new AbortController().signal,
    attempt: 1,
    isClaimed: async () => true,
    isCancelled: async () => false,
  };
  await groupEventsJob(depsWithJobs()).run({ project_id: shop }, context);
}

async function list(query: Record<string, string> = {}, user = ada) {
  const { status, body } = await app.call(errorGroupRoutes.ofProject, { params: { id: shop }, query }, user);
  expect(status).toBe(200);
  return body.errors;
}

const detail = async (id: string) =>
  (await app.call(errorGroupRoutes.get, { params: { id: shop, error: id } }, ben)).body;
const change = (id: string, body: ErrorChange, user = ada) =>
  app.call(errorGroupRoutes.setState, { params: { id: shop, error: id }, body }, user);
const byCulprit = async (symbol: string) =>
  (await list()).find(({ culprit }) => culprit?.startsWith(symbol))!;

test('events of one fault are counted once in one group, which waits for its answer', async () => {
  const events = [
    event('total', { release: 'shop@1.0.0', environment: 'prod' }),
    event('total'),
    event('total'),
  ];
  await receive(...events, event('pay', { message: null, level: 'fatal' }));
  await group();
  // A run that was killed before its commit leaves the events without a group.
  await Promise.all([group(), group()]);
  const errors = await list();
  expect(errors).toHaveLength(2);
  expect(requested).toEqual(['investigate-group']);
  expect(await byCulprit('total')).toMatchObject({
    ...{
      count: 3,
      event_count: 3,
      state: 'open',
      session_id: null,
      investigation: 'waiting',
      level: 'error',
    },
    ...{ first_release: 'shop@1.0.0', title: "KeyError: 'item 3'", culprit: 'total · shop/cart.py' },
  });
  const page = await detail((await byCulprit('total')).id);
  expect(page.hours.reduce((sum, one) => sum + one)).toBe(3);
  expect(page.days.at(-1)! + page.days.at(-2)!).toBe(3);
  expect(page.tags).toEqual([
    {
      name: 'region',
      count: 3,
      values: [
        { value: 'eu-1', count: 2 },
        { value: 'eu-0', count: 1 },
      ],
    },
  ]);
  expect(page.releases).toMatchObject([{ version: 'shop@1.0.0', count: 1 }]);
  expect(page.environments).toEqual([{ value: 'prod', count: 1 }]);
  expect(page.is_editable).toBe(false);
  expect(page.latest).toMatchObject({ breadcrumbs: [{ message: 'step 3' }] });
  expect(page.latest!.exceptions[0]!.frames.map(({ in_app }) => in_app)).toEqual([true, false]);

  const params = { id: shop, error: page.error.id };
  const first = await app.call(errorGroupRoutes.events, { params, query: { limit: '2' } }, ben);
  expect(first.body.events).toHaveLength(2);
  const query = { limit: '2', cursor: first.body.next_cursor! };
  const rest = await app.call(errorGroupRoutes.events, { params, query }, ben);
  expect([rest.body.events.length, rest.body.next_cursor]).toEqual([1, null]);
  const [middle] = first.body.events.slice(1);
  const one = await app.call(errorGroupRoutes.event, { params: { ...params, event: middle!.id } }, ben);
  expect(one.body).toMatchObject({ newer: first.body.events[0]!.id, older: rest.body.events[0]!.id });
  const missing = await app.call(errorGroupRoutes.event, { params: { ...params, event: 'x' } }, ben);
  expect(missing.status).toBe(404);
  // An event that was delivered late is listed where it occurred.
  const { at } = events[1]!;
  await receive(event('total', { at }));
  const listed = await app.call(errorGroupRoutes.events, { params, query: { limit: '3' } }, ben);
  expect(listed.body.events.map(({ title }) => title.at(-2))).toEqual(['3', '5', '2']);
  expect((await detail(params.error)).latest!.id).toBe(events[2]!.id);
});

test('an error whose investigation failed waits again when a member asks; an answered one stays', async () => {
  const { id } = await byCulprit('pay');
  const ask = async (investigation: 'failed' | 'done') => {
    await app.deps.db.updateTable('debug_groups').set({ investigation }).where('id', '=', id).execute();
    const before = requested.length;
    await investigateNow(depsWithJobs(), shop, id);
    return [requested.slice(before), (await byCulprit('pay')).investigation];
  };
  expect(await ask('failed')).toEqual([['investigate-group'], 'waiting']);
  expect(await ask('done')).toEqual([[], 'done']);
});

test('the same error as a text joins the group; a group of an older version keeps its state', async () => {
  const before = await byCulprit('total');
  const text = eventText(event('total'));
  const lists = { places: [], suspect_commits: [], evidence: [], timeline: [] };
  const context = { similar_errors: [], code_suggestions: [] };
  const answer = { kind: 'regression', solution: 'x', patch: null, context, ...lists } as never;
  const save = (error_message: string) =>
    saveSession(app.deps.db, {
      ...{ project_id: shop, user_id: ada.id, title: 'KeyError', draft: false, answer },
      request: { error_message },
    });
  await save(text);
  expect(await byCulprit('total')).toMatchObject({ id: before.id, count: 5, event_count: 4 });
  const old = eventText(event('refund'));
  const former = { project_id: shop, key: errorFingerprint(parseTrace(old)), title: 'refund' };
  const group = await app.deps.db.transaction().execute((trx) => recordOccurrence(trx, former));
  await save(old);
  await change(group.id, { state: 'solved' });
  await receive(event('checkout'));
  await save(old);
  expect((await list({ state: 'regressed' })).map(({ id }) => id)).toEqual([group.id]);
  await receive(event('refund'));
  expect((await detail(group.id)).error).toMatchObject({ count: 4, event_count: 1 });
});

test('a solved error returns in its release or a later one only; snoozing ends by events or time', async () => {
  const { id } = await byCulprit('pay');
  const release = (version: string) =>
    event('pay', { release: version, at: new Date(Date.now() + 1000).toISOString() });
  const solved = await change(id, { state: 'solved', solved_in: 'shop@1.10.0' });
  expect(solved.body).toMatchObject({ previous_state: 'open', previous: { state: 'open', solved_in: null } });
  await receive(release('shop@1.9.0'), event('pay', { at: new Date(Date.now() + 1000).toISOString() }));
  expect(await byCulprit('pay')).toMatchObject({ state: 'solved', solved_in: 'shop@1.10.0' });
  await receive(release('shop@1.10.1'));
  expect(await byCulprit('pay')).toMatchObject({ state: 'regressed', solved_in: null });
  await change(id, { state: 'solved' });
  // An event from before the change says nothing about it.
  await receive(event('pay', { at: new Date(Date.now() - 3_600_000).toISOString() }));
  expect((await byCulprit('pay')).state).toBe('solved');

  await change(id, { state: 'snoozed', snooze: { events: 2 } });
  await receive(event('pay'));
  expect(await byCulprit('pay')).toMatchObject({
    ...{ state: 'snoozed', snooze: { until: null, events: 1, after_release: null } },
  });
  await receive(event('pay'));
  expect(await byCulprit('pay')).toMatchObject({ state: 'open', snooze: null });
  await change(id, { state: 'snoozed', snooze: { until: new Date(Date.now() + 3_600_000).toISOString() } });
  await app.deps.db
    .updateTable('debug_groups')
    .set({ snoozed_until: new Date(0) })
    .where('id', '=', id)
    .execute();
  await errorUpkeepJob(depsWithJobs()).run({}, {} as never);
  expect((await byCulprit('pay')).state).toBe('open');
  for (const body of [
    { state: 'snoozed' },
    {},
    { state: 'open', solved_in: '1' },
    { state: 'snoozed', snooze: { until: new Date(0).toISOString() } },
    { assignee: newId() },
  ])
    expect([400, 422]).toContain((await change(id, body as ErrorChange)).status);
});

test('errors are assigned and found by what is counted of them', async () => {
  const { id } = await byCulprit('total');
  expect((await change(id, { assignee: ben.id })).body).toMatchObject({ assignee: { username: 'ben' } });
  expect((await change(id, { assignee: ada.id }, ben)).status).toBe(409);
  const found = async (query: Record<string, string>) => (await list(query, ben)).map((error) => error.id);
  expect(await found({ assignee: 'me' })).toEqual([id]);
  expect(await found({ assignee: 'none' })).not.toContain(id);
  const queries: Record<string, string>[] = [
    { release: 'shop@1.0.0' },
    { new_in: 'shop@1.0.0' },
    { environment: 'prod' },
    { q: 'CART.py', sort: 'count', limit: '1', environment: 'prod' },
  ];
  for (const query of queries) expect(await found(query)).toEqual([id]);
  expect(await found({ tag: 'region:eu-1' })).toContain(id);
  expect(await found({ tag: 'region:eu-7' })).toEqual([]);
  expect(await found({ since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([]);
  const byCount = await list({ sort: 'count' });
  expect(byCount.map(({ count }) => count)).toEqual(byCount.map(({ count }) => count).sort((a, b) => b - a));
  const { body } = await app.call(
    errorGroupRoutes.ofProject,
    { params: { id: shop }, query: { sort: 'count', limit: '1' } },
    ada,
  );
  const next = await list({ sort: 'count', limit: '1', cursor: body.next_cursor! });
  expect(next[0]!.id).toBe(byCount[1]!.id);
});

test('a merge joins counts, events and answers; a split restores them', async () => {
  const [total, pay] = [await byCulprit('total'), await byCulprit('pay')];
  const merge = (into: string, errors: string[], user = ada) =>
    app.call(errorMergingRoutes.merge, { params: { id: shop, error: into }, body: { errors } }, user);
  expect((await merge(total.id, [total.id])).status).toBe(400);
  expect((await merge(total.id, [newId()])).status).toBe(404);
  expect((await merge(total.id, [pay.id], ben)).status).toBe(409);
  const { body } = await merge(total.id, [pay.id]);
  const [merged] = body.merged;
  const joined = await detail(pay.id);
  expect(joined.error).toMatchObject({
    id: total.id,
    count: total.count + pay.count,
    title: expect.any(String),
  });
  expect(joined.keys).toHaveLength(2);
  expect(joined.sessions).toHaveLength(1);
  await receive(event('pay'));
  expect((await list()).some(({ id }) => id === pay.id)).toBe(false);
  expect((await detail(total.id)).error.count).toBe(total.count + pay.count + 1);

  const split = (keys: string[], into?: string) =>
    app.call(errorMergingRoutes.split, { params: { id: shop, error: total.id }, body: { keys, into } }, ada);
  expect((await split(joined.keys.map(({ key }) => key))).status).toBe(400);
  expect((await split(['unknown'])).status).toBe(404);
  expect((await split(merged!.keys, pay.id)).body.id).toBe(pay.id);
  expect((await detail(pay.id)).error).toMatchObject({ id: pay.id, count: pay.count + 1, state: pay.state });
  expect((await detail(total.id)).error).toMatchObject({ count: total.count, session_id: total.session_id });
  const { events } = (await app.call(auditRoutes.mine, { query: { limit: '2' } }, ada)).body;
  expect(events).toMatchObject([
    { event: 'error_split', detail: { project: 'shop' } },
    { event: 'errors_merged', detail: { project: 'shop', errors: '2' } },
  ]);
});

test('tags of one error are bounded, and a burst notifies of a few new errors', async () => {
  await receive(
    ...Array.from({ length: 60 }, (_, at) => event('burst', { tags: { user: `u${at}`, [`tag${at}`]: 'x' } })),
  );
  const page = await detail((await byCulprit('burst')).id);
  expect(page.error.count).toBe(60);
  expect(page.tags.find(({ name }) => name === 'user')!.values.length).toBeLessThanOrEqual(20);
  expect(page.tags.length).toBeLessThanOrEqual(30);
  await receive(
    ...Array.from({ length: 40 }, (_, at) => event(`flood${String.fromCharCode(97 + (at % 26))}x${at}`)),
  );
  await expect
    .poll(async () => {
      const rows = await app.deps.db
        .selectFrom('notifications')
        .select('title')
        .where('user_id', '=', ben.id)
        .execute();
      const codes = rows.map(({ title }) => title.code.split('.')[2]);
      return [
        codes.includes('error_assigned'),
        codes.includes('error_regressed'),
        codes.filter((code) => code === 'error_new').length <= 5,
      ];
    })
    .toEqual([true, true, true]);
});
