import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorEvent } from '#intake/error-event.ts';
import { type IntakeApp, openIntakeApp } from './testing-intake.ts';

/** Errors of real programs, sent by the SDKs themselves. */

let app: IntakeApp;
let base: string;
let dsn: string;
beforeAll(async () => {
  app = await openIntakeApp();
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
  dsn = `${base.replace('://', `://${app.intake.key}@`)}/${app.project.number}`;
});
afterAll(() => app.close());

const run = promisify(execFile);

async function eventOf(matches: (event: ErrorEvent) => boolean): Promise<ErrorEvent> {
  for (let round = 0; round < 600; round++) {
    const event = (await app.events()).find(matches);
    if (event) return event;
    await sleep(100);
  }
  throw new Error(
    `no such event in ${JSON.stringify((await app.events()).map(({ exceptions }) => exceptions[0]?.value))}`,
  );
}

const NODE_PROGRAM = `
import * as Sentry from '@sentry/node';
Sentry.init({ dsn: process.argv[1], release: 'shop@1.4.2', environment: 'test', tracesSampleRate: 1, sendDefaultPii: true });
Sentry.setTag('region', 'eu');
Sentry.setUser({ id: '7', email: 'ada@example.org', ip_address: '203.0.113.9' });
Sentry.addBreadcrumb({ category: 'cart', message: 'checkout of ada@example.org' });
function applyDiscount(cart) { return cart.items.length; }
setTimeout(() => { applyDiscount({}); }, 5);
`;

test('@sentry/node reports the uncaught exception of a program', async () => {
  await run(process.execPath, ['--input-type=module', '-e', NODE_PROGRAM, dsn]).catch(() => {});
  const event = await eventOf(({ sdk }) => sdk?.name.startsWith('sentry.javascript.node') === true);
  expect(event).toMatchObject({
    source: 'sentry',
    platform: 'node',
    level: 'fatal',
    release: 'shop@1.4.2',
    environment: 'test',
    tags: { region: 'eu' },
  });
  expect(event.exceptions[0]).toMatchObject({
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'length')",
    handled: false,
  });
  expect(event.exceptions[0]!.frames[0]).toMatchObject({ symbol: 'applyDiscount', line: expect.any(Number) });
  expect(JSON.stringify(event)).not.toMatch(/ada@example|203\.0\.113/);
}, 30_000);

const PYTHON_PROGRAM = `
import sys, sentry_sdk
sentry_sdk.init(dsn=sys.argv[1], release='shop@2.0', environment='test', send_default_pii=True)
sentry_sdk.set_tag('region', 'eu')
def total(cart):
    password = 'hunter2'
    return cart['total']
try:
    total({})
except KeyError as error:
    raise ValueError('no total for ada@example.org') from error
`;
/** Of the system, for which Debian packages the SDK, or another one. */
const pythons = ['/usr/bin/python3', 'python3'].map((path) =>
  run(path, ['-c', 'import sentry_sdk']).then(() => path),
);
const python = await Promise.any(pythons).catch(() => null);
if (!python) {
  const reason = 'The Python SDK is not tested: the Debian package python3-sentry-sdk is not installed.\n';
  process.stdout.write(reason);
}

test.skipIf(!python)(
  'sentry_sdk of Python reports an uncaught exception with its cause',
  async () => {
    await run(python!, ['-c', PYTHON_PROGRAM, dsn]).catch(() => {});
    const event = await eventOf(({ platform }) => platform === 'python');
    expect(event).toMatchObject({ release: 'shop@2.0', environment: 'test', tags: { region: 'eu' } });
    expect(event.exceptions.map(({ type, value }) => `${type}: ${value}`)).toEqual([
      'ValueError: no total for [Filtered]',
      "KeyError: 'total'",
    ]);
    expect(event.exceptions[1]!.frames[0]).toMatchObject({ symbol: 'total', line: 7 });
    expect(JSON.stringify(event)).not.toContain('hunter2');
  },
  30_000,
);

const STACK = `TypeError: cart is undefined
    at addItem (/srv/app/src/cart.ts:12:5)
    at handle (/srv/app/src/routes.ts:40:3)
Caused by: RangeError: limit
    at check (/srv/app/src/limits.ts:3:9)`;

test.each([
  ['JSON', JsonLogExporter],
  ['protobuf', ProtobufLogExporter],
])('log records of OpenTelemetry in %s', async (format, Exporter) => {
  const headers = { 'x-hindsight-key': app.intake.key };
  const exporter = new Exporter({
    url: `${base}/api/${app.project.number}/otlp/v1/logs`,
    headers,
    compression: 'gzip' as never,
  });
  const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter } as never)] });
  const logger = provider.getLogger('shop');
  logger.emit({ severityNumber: 9, body: 'started' });
  logger.emit({
    severityNumber: 17,
    body: `checkout failed (${format})`,
    attributes: {
      'exception.type': 'TypeError',
      'exception.message': 'cart is undefined',
      'exception.stacktrace': STACK,
      tenant: 'eu',
      'user.email': 'ada@example.org',
    },
  });
  await provider.forceFlush();
  await provider.shutdown();
  const event = await eventOf(({ message }) => message === `checkout failed (${format})`);
  expect(event).toMatchObject({
    source: 'otlp',
    platform: 'node',
    level: 'error',
    logger: 'shop',
    tags: { tenant: 'eu' },
  });
  expect(
    event.exceptions.map(({ type, frames }) => [type, frames.map(({ path, line }) => `${path}:${line}`)]),
  ).toEqual([
    ['TypeError', ['/srv/app/src/cart.ts:12', '/srv/app/src/routes.ts:40']],
    ['RangeError', ['/srv/app/src/limits.ts:3']],
  ]);
  expect(JSON.stringify(event)).not.toContain('ada@');
});

test('exception events of spans, exported as protobuf', async () => {
  const headers = { 'x-hindsight-key': app.intake.key };
  const exporter = new OTLPTraceExporter({
    url: `${base}/api/${app.project.number}/otlp/v1/traces`,
    headers,
  });
  const now = [Math.floor(Date.now() / 1000), 0] as [number, number];
  const span = (name: string, events: object[]) => ({
    name,
    kind: 0,
    spanContext: () => ({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
    }),
    startTime: now,
    endTime: now,
    status: { code: 2 },
    attributes: {},
    links: [],
    events,
    duration: [0, 0],
    ended: true,
    resource: {
      attributes: {
        'service.version': '3.1.0',
        'telemetry.sdk.language': 'nodejs',
        'deployment.environment.name': 'prod',
      },
    },
    instrumentationScope: { name: 'http' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  });
  const failed = {
    name: 'exception',
    time: now,
    attributes: {
      'exception.type': 'TimeoutError',
      'exception.message': 'upstream',
      'exception.stacktrace': STACK,
    },
  };
  const spans = [span('GET /ok', []), span('GET /cart', [failed])];
  const result = await new Promise<{ code: number }>((done) => exporter.export(spans as never, done));
  expect(result.code).toBe(0);
  const event = await eventOf(({ transaction }) => transaction === 'GET /cart');
  expect(event).toMatchObject({
    release: '3.1.0',
    environment: 'prod',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    exceptions: [{ type: 'TimeoutError', value: 'upstream' }, { type: 'RangeError' }],
  });
});
