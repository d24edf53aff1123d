import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api, buildUrl } from './api.ts';

test('path parameters are escaped, and a wildcard keeps its slashes', () => {
  const params = { id: 'a/b', '*': 'src/où ?.ts' };
  expect(buildUrl('/projects/:id/files/*', { params })).toBe(
    '/api/projects/a%2Fb/files/src/o%C3%B9%20%3F.ts',
  );
});

test('undefined query parameters are omitted', () => {
  const query = { q: 'a&b', project_id: 'p', limit: undefined };
  expect(buildUrl('/search', { query })).toBe('/api/search?q=a%26b&project_id=p');
});

test.each([
  [502, 'text/html', 'unreachable'],
  [504, 'text/plain', 'unreachable'],
  [503, 'application/json; charset=utf-8', 'unavailable'],
])(
  'a reply %i of %s is %s: that of a load balancer means that no server answered',
  async (status, type, code) => {
    const body = JSON.stringify({ error: { code: 'unavailable', message: 'Busy' } });
    const server = createServer((_, reply) => reply.writeHead(status, { 'content-type': type }).end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const send = globalThis.fetch;
    vi.stubGlobal('localStorage', { getItem: () => null });
    vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
      send(`http://127.0.0.1:${port}${path}`, init),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(api('GET /auth/setup')).rejects.toMatchObject({ code });
  },
);
