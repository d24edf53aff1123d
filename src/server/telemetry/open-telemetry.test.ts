import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../http/log.ts';
import { startTelemetry, toLogRecord, traceRequests } from './open-telemetry.ts';

/** Bodies that the collector got, by path. */
const received: Record<string, string> = {};
let collector: Server;
let endpoint: string;
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received[request.url!] = Buffer.concat(chunks).toString('latin1') + String(request.headers['api-key']);
      response.end();
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
});
afterAll(() => collector.close());

test('requests become spans by route pattern, below the span of the caller; log lines become records', async () => {
  const telemetry = await startTelemetry({ endpoint, headers: { 'api-key': 'abc' } }, '1.2.3');
  const app = fastify();
  traceRequests(app as never, telemetry);
  app.get('/things/:id', async () => 'ok');
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  await app.inject({ url: '/things/secret-7', headers: { traceparent } });
  const log = createLogger({ level: 'info' }, telemetry.logStream);
  log.error({ err: new TypeError('no total'), password: 'hunter2' }, 'a job failed');
  await telemetry.close();
  await app.close();
  const { '/v1/traces': spans, '/v1/logs': records } = received;
  expect(spans).toContain('GET /things/:id');
  expect(spans).toContain(Buffer.from(traceId, 'hex').toString('latin1'));
  expect(spans).not.toContain('secret-7');
  expect(records).toContain('a job failed');
  expect(records).toContain('exception.stacktrace');
  expect(records).not.toContain('hunter2');
  expect(spans!.endsWith('abc')).toBe(true);
});

test('a collector that is away delays nothing and fails nothing', async () => {
  const telemetry = await startTelemetry({ endpoint: 'http://127.0.0.1:1', headers: {} }, '1.2.3');
  telemetry.startSpan('x', { kind: 'SERVER', attributes: {}, traceparent: 'nonsense' })({ failed: true });
  await telemetry.close();
});

test('a line of the log keeps its time, level and fields', () => {
  const line = '{"level":40,"time":1700000000000,"msg":"slow","ms":12,"data":{"a":1}}';
  expect(toLogRecord(line)).toEqual({
    timestamp: 1_700_000_000_000,
    severityNumber: 13,
    severityText: 'WARN',
    body: 'slow',
    attributes: { ms: 12, data: '{"a":1}' },
  });
});
