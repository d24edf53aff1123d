import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { compressReplies } from './compress-replies.ts';

const LONG = JSON.stringify({ text: 'the same words again and again. '.repeat(100) });

function server() {
  const app = fastify();
  compressReplies(app as never);
  const json =
    (text: string) =>
    async (_: unknown, reply: { type(t: string): { header: (...h: string[]) => unknown } }) => {
      reply.type('application/json; charset=utf-8').header('vary', 'Accept');
      return text;
    };
  app.get('/api/projects', json(LONG) as never);
  app.get('/api/short', json('{}') as never);
  app.get('/api/auth/refresh', json(LONG) as never);
  app.get('/api/export', async (_, reply) => reply.type('application/zip').send(Buffer.from(LONG)));
  return app;
}

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
])('for %j JSON is sent as %s', async (accept, encoding, decompress) => {
  const reply = await server().inject({ url: '/api/projects', headers: { 'accept-encoding': accept } });
  expect(reply.headers['content-encoding']).toBe(encoding);
  expect(reply.headers.vary).toBe('Accept, Accept-Encoding');
  expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length);
  expect(reply.rawPayload.length).toBeLessThan(LONG.length / 5);
  expect(decompress(reply.rawPayload).toString()).toBe(LONG);
});

test.each([
  ['/api/projects', '', 'Accept, Accept-Encoding'],
  ['/api/projects', 'zstd, br;q=0', 'Accept, Accept-Encoding'],
  ['/api/short', 'br', 'Accept, Accept-Encoding'],
  // May hold a token, and goes to every browser with the cookie.
  ['/api/auth/refresh', 'br', 'Accept'],
  ['/api/export', 'br', undefined],
])('%s for %j is sent as it is', async (url, accept, vary) => {
  const reply = await server().inject({ url, headers: { 'accept-encoding': accept } });
  expect([reply.headers['content-encoding'], reply.headers.vary]).toEqual([undefined, vary]);
});

test('of many at once some are sent as they are, and all arrive', async () => {
  const app = server();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({ url: '/api/projects', headers: { 'accept-encoding': 'br' } }),
    ),
  );
  for (const { headers, rawPayload } of replies) {
    const text = headers['content-encoding'] ? brotliDecompressSync(rawPayload) : rawPayload;
    expect(text.toString()).toBe(LONG);
  }
});
