import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { dial, readAll, statusOf } from '../testing-raw-http.ts';
import { limitLoad } from './admission.ts';
import { sendError } from './error-handler.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** A server with a route that replies when the test says, and one that replies at once. */
function startApp({ maxRequestsInFlight = 100, maxEventLoopDelayMs = 0 }) {
  const waiting: (() => void)[] = [];
  app = fastify({ logger: false }) as unknown as FastifyInstance;
  app.setErrorHandler(sendError);
  limitLoad(app, { maxRequestsInFlight, maxEventLoopDelayMs });
  const waits = async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  };
  app.route({ method: ['GET', 'POST'], url: '/waits', handler: waits });
  app.get('/now', async () => ({}));
  for (const path of ['/healthz', '/readyz', '/metrics']) app.get(path, async () => ({}));
  const get = (url: string, remoteAddress = '10.0.0.1') => app.inject({ url, remoteAddress });
  const fill = async (count: number, remoteAddress: string) => {
    const before = waiting.length;
    const replies = Array.from({ length: count }, () => get('/waits', remoteAddress));
    await expect.poll(() => waiting.length).toBe(before + count);
    return replies;
  };
  const release = () => {
    for (const reply of waiting.splice(0)) reply();
  };
  return { get, fill, release };
}

const statusesOf = async (replies: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(replies)).map(({ statusCode }) => statusCode);

test('one IP has half of the requests in flight, all have the limit, and a request that ended makes room', async () => {
  const { get, fill, release } = startApp({ maxRequestsInFlight: 4 });
  const first = await fill(2, '10.0.0.1');
  expect((await get('/now', '10.0.0.1')).statusCode).toBe(503);
  const second = await fill(1, '10.0.0.2');
  expect((await get('/now', '10.0.0.2')).statusCode).toBe(200);
  const third = await fill(1, '10.0.0.3');
  const refused = await get('/now', '10.0.0.4');
  expect(refused.statusCode).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json().error).toMatchObject({ code: 'unavailable', message_key: 'server_overloaded' });
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await get(path)).statusCode).toBe(200);
  release();
  expect(await statusesOf([...first, ...second, ...third])).toEqual([200, 200, 200, 200]);
  expect((await get('/now', '10.0.0.1')).statusCode).toBe(200);
});

test('a request whose body has not arrived occupies no place, and one whose client left gives it back', async () => {
  const { get, release } = startApp({ maxRequestsInFlight: 2 });
  const head = 'POST /waits HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const slow = await dial(app);
  slow.write(`${head}Content-Length: 2\r\nConnection: close\r\n\r\n`);
  const reply = readAll(slow);
  await once(app.server, 'request');
  await expect.poll(async () => (await get('/now', '127.0.0.1')).statusCode).toBe(200);
  slow.write('{}');
  await expect.poll(async () => (await get('/now', '127.0.0.1')).statusCode).toBe(503);
  release();
  expect(statusOf(await reply)).toBe(200);

  const leaving = await dial(app);
  leaving.write('GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(async () => (await get('/now', '127.0.0.1')).statusCode).toBe(503);
  leaving.destroy();
  await expect.poll(async () => (await get('/now', '127.0.0.1')).statusCode).toBe(200);
  release();
});

test('requests are refused while the event loop is late, and served again afterwards', async () => {
  const { get } = startApp({ maxEventLoopDelayMs: 100 });
  await app.ready();
  await expect
    .poll(
      async () => {
        const end = performance.now() + 1_000;
        while (performance.now() < end);
        await sleep(0);
        return (await get('/now')).statusCode;
      },
      { interval: 0 },
    )
    .toBe(503);
  expect((await get('/healthz')).statusCode).toBe(200);
  await expect.poll(async () => (await get('/now')).statusCode).toBe(200);
});
