import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { connect } from '#db/connect.ts';
import { insertTestProject, type TestApp, testApp } from '../testing.ts';
import { createWorkerApp } from '../worker-app.ts';
import { createMetrics } from './metrics.ts';
import { createGaugeReader } from './server-gauges.ts';

const TOKEN = 'a-token-of-the-operator';
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ config: { metricsToken: TOKEN }, work: true });
});
afterAll(() => app.close());

const scrape = async (headers = {}, remoteAddress = '127.0.0.1') =>
  await app.inject({ url: '/metrics', headers, remoteAddress });

test('this machine reads requests by route, jobs, projects and the state of the server', async () => {
  const user = await app.signUp();
  await insertTestProject(app.deps, [[user, 'owner']]);
  await app.call(projectRoutes.list, {}, user);
  await app.inject({ url: '/no/such/page' });
  const { statusCode, headers, body } = await scrape();
  expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  expect(body).toMatch(
    /request_duration_seconds_count\{method="GET",route="\/api\/projects",status="200"\} 1/,
  );
  expect(body).toMatch(/request_duration_seconds_count\{method="GET",route="pages",status="\d+"\} 1/);
  expect(body).not.toContain('no/such');
  expect(body).toContain('hindsight_projects{status="ready"} 1');
  expect(body).toMatch(/hindsight_jobs\{queue="ingest",state="waiting"\} 0/);
  expect(body).toContain('hindsight_database_up 1');
});

test.each([
  ['another machine', {}, '10.0.0.9', 401],
  ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1', 401],
  ['a wrong token', { authorization: 'Bearer a-token-of-the-attacker' }, '10.0.0.9', 401],
  ['the token', { authorization: `Bearer ${TOKEN}` }, '10.0.0.9', 200],
])('%s', async (_case, headers, remoteAddress, status) => {
  expect((await scrape(headers, remoteAddress)).statusCode).toBe(status);
});

test('a worker serves its metrics and its health, and nothing else', async () => {
  const worker = createWorkerApp(app.deps, pino({ level: 'silent' }));
  const get = async (url: string, remoteAddress = '127.0.0.1') =>
    await worker.inject({ url, remoteAddress, headers: { host: 'worker' } });
  expect((await get('/healthz')).json()).toEqual({ ok: true });
  expect((await get('/readyz')).json()).toMatchObject({ ok: true });
  expect((await get('/metrics')).body).toContain('hindsight_jobs{');
  expect((await get('/metrics', '10.0.0.9')).statusCode).toBe(401);
  expect((await get('/api/projects')).statusCode).toBe(404);
  await worker.close();
});

test('without a database the other metrics are still read', async () => {
  const { db, close } = connect('postgres://nobody@127.0.0.1:1/none');
  const metrics = createMetrics({ process: false });
  const failures: unknown[] = [];
  await createGaugeReader({ ...app.deps, db, metrics }, (error) => failures.push(error))();
  expect(failures).toHaveLength(1);
  await close();
  const text = await metrics.registry.metrics();
  expect(text).toContain('hindsight_database_up 0');
  expect(text).toContain('hindsight_disk_full 0');
  expect(text).not.toMatch(/hindsight_(?:projects|database_bytes)[ {]\d/);
});

test('alerts, dashboard and documentation name metrics that exist, and each alert its section', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const { registry } = createMetrics({ process: true });
  const names = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const docs = read('docs/monitoring.md');
  const named = [read('deploy/prometheus/alerts.yml'), read('deploy/grafana/hindsight.json'), docs].flatMap(
    (text) => text.match(/\b(?:hindsight|process|nodejs)_[a-z0-9_]+/g) ?? [],
  );
  const base = named.map((name) => (names.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')));
  expect(base.length).toBeGreaterThan(40);
  expect(base.filter((name) => !names.has(name) && !/^(?:process|nodejs)_$/.test(name))).toEqual([]);
  for (const [, anchor] of read('deploy/prometheus/alerts.yml').matchAll(/monitoring\.md#(\w+)/g)) {
    expect(docs.toLowerCase()).toContain(`### ${anchor}\n`);
  }
});
