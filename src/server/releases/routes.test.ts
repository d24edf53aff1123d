import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { releaseRoutes } from '#contract/releases.ts';
import type { ErrorEvent, EventFrame } from '#intake/error-event.ts';
import { createSourceMapReader } from '#intake/source-map-thread.ts';
import { GROUP_EVENTS_JOB } from '../project-data/error-intake.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

/** Releases, source maps, and the answer that a new group gets by itself. */

let served: ServedShop;
let app: ShopApp;
let id: string;

beforeAll(async () => {
  served = await serveShop();
  const inline = Buffer.from(JSON.stringify(MAP)).toString('base64');
  await served.shop.repository.commit({
    message: 'Build',
    date: '2025-06-01T10:00:00Z',
    author: 'Ada Lovelace',
    files: {
      'dist/cart.js': 'function t(){}function e(){t()}\n//# sourceMappingURL=cart.js.map\n',
      'dist/cart.js.map': JSON.stringify(MAP),
      'dist/inline.js': `function t(){}function e(){t()}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inline}\n`,
    },
  });
  app = await openShopApp(served);
  id = app.project.id;
});
afterAll(async () => {
  await app.close();
  await served.close();
});

const create = (version: string, commit: string, user = app.ada) =>
  app.call(releaseRoutes.create, { params: { id }, body: { version, commit } }, user);
const listReleases = async (query: Record<string, string> = {}) =>
  (await app.call(releaseRoutes.list, { params: { id }, query }, app.bob)).body.releases;

test('releases name commits, in the order of the history', async () => {
  const { culprit, fix } = served.shop;
  expect((await create('shop@1.0.0', fix, app.bob)).status).toBe(409);
  expect((await create('shop@1.0.0', 'no-such-branch')).status).toBe(404);
  const created = await create('shop@2.0.0', culprit.slice(0, 10));
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    version: 'shop@2.0.0',
    commit: culprit,
    source: 'created',
    errors: 0,
  });
  expect((await create('shop@2.0.0', 'main')).body.id).toBe(created.body.id);
  expect((await listReleases({ q: '2.0' })).map(({ version }) => version)).toEqual(['shop@2.0.0']);
  const remove = (release: string) => app.call(releaseRoutes.remove, { params: { id, release } }, app.ada);
  expect((await remove('unknown')).status).toBe(404);
  expect((await remove(created.body.id!)).status).toBe(200);
  expect(await listReleases()).toEqual([]);
  // SDKs that send the commit as the release need no call; an unknown hash is a name like any other.
  const named = [`shop@${culprit}`, 'f'.repeat(40)];
  const rows = named.map((version) => ({ project_id: id, version, first_event: new Date() }));
  await app.deps.db.insertInto('releases').values(rows).execute();
  const listed = await listReleases();
  expect(named.map((name) => listed.find(({ version }) => version === name))).toMatchObject([
    { commit: culprit, source: 'name', id: null },
    { commit: null, source: null },
  ]);
  await app.deps.db.deleteFrom('releases').where('version', 'in', named).execute();
});

const upload = (query: Record<string, string>, map: object | Buffer, user = app.ada) =>
  app.inject(
    {
      method: 'POST',
      url: `/api/projects/${id}/source-maps`,
      query,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.isBuffer(map) ? map : Buffer.from(JSON.stringify(map)),
    },
    user,
  );

/** A map of one generated line: column 0 is `applyDiscount` at line 13 of the source, column 10 `printTotal` at line 17. */
const SOURCE = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n');
const MAP = {
  version: 3,
  sources: ['webpack://shop/./src/checkout/total.js'],
  sourcesContent: [SOURCE],
  names: ['percent', 'applyDiscount'],
  mappings: 'AAYAA,UAIAC',
};

let sent = 0;
function minified(file: string, release: string, more: Partial<ErrorEvent> = {}): ErrorEvent {
  sent += 1;
  const frames: EventFrame[] = [
    { path: `assets/${file}`, line: 1, column: 1, symbol: 't', inApp: true },
    { path: `assets/${file}`, line: 1, column: 11, symbol: 'e', inApp: true },
  ];
  return {
    id: sent.toString(16).padStart(32, '0'),
    source: 'sentry',
    platform: 'javascript',
    at: new Date().toISOString(),
    level: 'error',
    message: null,
    exceptions: [
      { type: 'TypeError', value: "Cannot read properties of undefined (reading 'percent')", frames },
    ],
    release,
    tags: {},
    breadcrumbs: [],
    contexts: {},
    extra: {},
    debugImages: [],
    ...more,
  };
}

async function receive(...events: ErrorEvent[]) {
  const rows = events.map((event) => ({
    ...{ project_id: id, id: event.id, occurred_at: new Date(event.at), event: JSON.stringify(event) },
  }));
  await app.deps.db.insertInto('error_events').values(rows).execute();
  await app.deps.jobs.send(GROUP_EVENTS_JOB, { project_id: id });
}

const listErrors = async () =>
  (await app.call(errorGroupRoutes.ofProject, { params: { id }, query: {} }, app.bob)).body.errors;

test('frames of bundles are shown as source, grouped over builds, and answered without being asked', async () => {
  expect((await upload({ release: 'shop@3.0.0', path: 'assets/app-BfH3a9d2.js' }, MAP)).statusCode).toBe(201);
  const debugId = '5f2b7c1e-9d1a-4c3b-8e7f-001122334455';
  expect((await upload({ debug_id: debugId }, MAP)).statusCode).toBe(201);
  await receive(
    minified('app-BfH3a9d2.js', 'shop@3.0.0'),
    minified('app-Zk81xxPq.js', 'shop@3.1.0', {
      debugImages: [{ type: 'sourcemap', debugId, codeFile: 'https://shop.example/assets/app-Zk81xxPq.js' }],
    }),
  );
  await expect
    .poll(async () => (await listErrors()).map(({ count }) => count), { timeout: 60_000 })
    .toEqual([2]);
  const [error] = await listErrors();
  expect(error).toMatchObject({
    culprit: 'applyDiscount · src/checkout/total.js',
    first_release: 'shop@3.0.0',
  });
  await expect.poll(async () => (await listErrors())[0]!.investigation, { timeout: 60_000 }).toBe('done');
  const { body } = await app.call(errorGroupRoutes.get, { params: { id, error: error!.id } }, app.bob);
  expect(body.latest!.exceptions[0]!.frames[0]).toMatchObject({
    ...{ path: 'src/checkout/total.js', file: 'src/checkout/total.js', line: 13, symbol: 'applyDiscount' },
    ...{ text: 'line 13', generated: { path: 'assets/app-Zk81xxPq.js', line: 1, column: 1 } },
  });
  // The investigation is no occurrence.
  expect(body.error).toMatchObject({ count: 2, session_id: expect.any(String), kind: expect.any(String) });
  expect(body.sessions).toHaveLength(1);
  expect(await listReleases({ q: 'shop@3' })).toMatchObject([
    { version: 'shop@3.1.0', commit: null, errors: 1, new_errors: 0 },
    { version: 'shop@3.0.0', commit: null, errors: 1, new_errors: 1 },
  ]);
});

test('an error that is new in a release is not blamed on older commits; a foreign one on none', async () => {
  const { culprit } = served.shop;
  await create('9.1.0', 'main');
  await create('9.0.0', culprit);
  expect((await listReleases({ q: '9.' })).map(({ version, previous }) => [version, previous])).toEqual([
    ['9.1.0', '9.0.0'],
    ['9.0.0', null],
  ]);
  const frames = (path: string): EventFrame[] => [
    { path: `${path}/total.js`, line: 13, column: 48, symbol: 'applyDiscount' },
    { path: `${path}/total.js`, line: 17, column: 17, symbol: 'printTotal' },
  ];
  const exception = (type: string, path: string) => ({
    exceptions: [
      { type, value: "Cannot read properties of undefined (reading 'percent')", frames: frames(path) },
    ],
  });
  await receive(
    minified('x.js', '9.1.0', exception('EvalError', '/srv/app/src/checkout')),
    minified('x.js', '9.0.0', exception('RangeError', '/srv/app/src/checkout')),
    minified('x.js', '9.1.0', {
      exceptions: [
        {
          type: 'org.acme.billing.LedgerException',
          value: 'Posting 12 not balanced',
          frames: [{ path: 'org/acme/billing/Ledger.java', line: 4, symbol: 'Ledger.post' }],
        },
      ],
    }),
  );
  const found = async (title: string) => (await listErrors()).find((error) => error.title.includes(title));
  const answer = async (title: string) => {
    await expect.poll(async () => (await found(title))?.investigation, { timeout: 40_000 }).toBe('done');
    const row = await app.deps.db
      .selectFrom('debug_sessions')
      .select('answer')
      .where('id', '=', (await found(title))!.session_id!)
      .executeTakeFirstOrThrow();
    return row.answer;
  };
  // Each is investigated at the commit of its release.
  expect((await answer('RangeError')).indexed_commit).toBe(culprit);
  expect((await answer('EvalError')).indexed_commit).not.toBe(culprit);
  const suspects = ({ suspect_commits, related_commits = [] }: Awaited<ReturnType<typeof answer>>) =>
    [...suspect_commits, ...related_commits].map(({ hash }) => hash);
  expect(suspects(await answer('RangeError'))).toContain(culprit);
  const params = { id: (await found('RangeError'))!.session_id! };
  const since = await app.call(errorGroupRoutes.release, { params }, app.bob);
  expect(since.body).toMatchObject({ release: { name: '9.0.0' }, commit: culprit });
  expect(suspects(await answer('EvalError'))).not.toContain(culprit);
  const ledger = await answer('LedgerException');
  expect(['foreign', 'vague']).toContain(ledger.kind);
  expect(suspects(ledger)).toEqual([]);
});

test('maps of the repository are found beside a bundle and in it', async () => {
  const thrown = (type: string, file: string): Partial<ErrorEvent> => {
    const at = { path: `dist/${file}`, absPath: `/srv/app/dist/${file}`, line: 1, inApp: true };
    const frames = [
      { ...at, column: 1, symbol: 't' },
      { ...at, column: 11, symbol: 'e' },
    ];
    return { exceptions: [{ type, value: 'x', frames }] };
  };
  await receive(
    minified('', 'shop@8.0.0', thrown('BesideError', 'cart.js')),
    minified('', 'shop@8.0.0', thrown('InlineError', 'inline.js')),
    minified('', 'shop@8.0.0', thrown('UnknownError', 'other.js')),
  );
  const culprits = async () =>
    Object.fromEntries((await listErrors()).map(({ title, culprit }) => [title, culprit]));
  await expect.poll(culprits, { timeout: 60_000 }).toMatchObject({
    'BesideError: x': 'applyDiscount · src/checkout/total.js',
    'InlineError: x': 'applyDiscount · src/checkout/total.js',
    'UnknownError: x': 't · dist/other.js',
  });
});

test('source maps are listed, replaced and deleted with their files', async () => {
  const named = { release: 'shop@4.0.0', path: 'assets/app.js' };
  expect((await upload(named, MAP, app.bob)).statusCode).toBe(409);
  const [first, second] = [
    await upload(named, MAP),
    await upload(named, { ...MAP, names: ['other', 'names'] }),
  ];
  const list = async () =>
    (await app.call(releaseRoutes.sourceMaps, { params: { id }, query: { release: named.release } }, app.bob))
      .body;
  expect(await list()).toMatchObject({ source_maps: [{ id: second!.json().id, path: 'assets/app.js' }] });
  const audited = async () =>
    (await app.call(auditRoutes.mine, { query: { limit: '50' } }, app.ada)).body.events
      .filter(({ detail }) => detail.release === named.release)
      .map(({ event }) => event);
  expect(await audited()).toEqual(['source_maps_uploaded']);
  expect((await list()).used).toBeGreaterThan(0);
  const files = () => readdir(join(app.deps.config.dataDir, 'projects', id, 'source-maps'));
  expect(await files()).not.toContain(`${first!.json().id}.map.gz`);
  const removed = await app.call(
    releaseRoutes.removeSourceMaps,
    { params: { id }, query: { release: named.release } },
    app.ada,
  );
  expect(removed.body.deleted).toBe(1);
  expect(await files()).not.toContain(`${second!.json().id}.map.gz`);
});

test('hostile maps are refused in bounded time and memory', async () => {
  const named = { release: 'x', path: 'a.js' };
  const bad: [string, object | Buffer][] = [
    ['no JSON', Buffer.from('{"version":3,')],
    ['version 2', { ...MAP, version: 2 }],
    ['no mappings', { version: 3, sources: [] }],
    ['mappings that are no text', { ...MAP, mappings: [['x']] }],
    ['null', Buffer.from('null')],
    ['deep', Buffer.from('['.repeat(200_000))],
    ['compressed', gzipSync(JSON.stringify(MAP))],
    [
      'sections in sections',
      Buffer.from(`${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(20_000)}`),
    ],
    ['too many sources', { ...MAP, sources: Array.from({ length: 60_000 }, (_, at) => `${at}`) }],
  ];
  for (const [name, map] of bad) {
    const { statusCode } = await upload(named, map);
    expect([name, statusCode]).toEqual([name, 400]);
  }
  expect((await upload({ release: 'x' }, MAP)).statusCode).toBe(400);
  expect([413, 422, 400]).toContain((await upload(named, Buffer.alloc(33 * 2 ** 20, 32))).statusCode);
  // Maps that parse: positions outside of them are left as they are.
  const reader = createSourceMapReader({ timeoutMs: 2_000 });
  const positions = [
    { line: 1, column: 0 },
    { line: 2 ** 40, column: 5 },
    { line: 1, column: -1 },
    { line: 0, column: 0 },
  ];
  const read = (map: object) => reader.read({ map: Buffer.from(JSON.stringify(map)), positions });
  const found = await read(MAP);
  expect(found.positions.map((one) => one?.line ?? null)).toEqual([13, null, null, null]);
  const wrong = await read({ ...MAP, mappings: 'AAgggggggggggggB', sources: [null], sourcesContent: [7] });
  expect(
    wrong.positions.length === 0 ||
      wrong.positions.every((one) => one === null || typeof one.path === 'string'),
  ).toBe(true);
  const started = performance.now();
  const large = await read({ ...MAP, mappings: 'AAAA,'.repeat(2_000_000) + ';'.repeat(5_000_000) });
  expect(large.problem === null || /too (?:long|much)|memory/i.test(large.problem)).toBe(true);
  expect(performance.now() - started).toBeLessThan(60_000);
  expect((await read(MAP)).problem).toBeNull();
  await reader.close();
});
