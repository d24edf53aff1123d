import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Egress, type Lease, startEgress } from './proxy.ts';
import type { EgressPolicy, IpAddress } from './remote-url.ts';
import { fakeLookup } from './testing.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) {
    await part.close();
  }
});

/** A server on loopback that stands in for the internet, and a proxy whose dialled addresses are recorded. */
async function setUp(
  options: { serve?: (socket: Socket) => void; lookup?: EgressPolicy['lookup']; allowed?: string[] } = {},
) {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    (options.serve ?? ((client) => client.pipe(client)))(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dialled: string[] = [];
  const egress: Egress = await startEgress({
    allowedPrivateHosts: options.allowed ?? [],
    lookup: options.lookup ?? fakeLookup,
    lookupTimeoutMs: 20,
    connect: (to: IpAddress) => {
      dialled.push(to.address);
      return connect({ host: '127.0.0.1', port });
    },
  });
  open.push(server, egress);
  return { egress, dialled };
}

/** Sends CONNECT through a lease; `status` is 0 when the proxy just hung up. */
async function tunnel(lease: Lease, target: string, password?: string) {
  const proxy = new URL(lease.proxyUrl);
  const secret = `${proxy.username}:${password ?? proxy.password}`;
  const request = httpRequest({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    headers:
      password === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(secret).toString('base64')}` },
  });
  request.end();
  return new Promise<{ status: number; socket: Socket | null }>((resolve) => {
    request.once('connect', (answer, socket) =>
      resolve({ status: answer.statusCode ?? 0, socket: socket as Socket }),
    );
    request.once('error', () => resolve({ status: 0, socket: null }));
  });
}

const EXAMPLE = { host: 'example.com', port: 443, maxBytes: 1000 };

test('passes bytes both ways to the address that was checked', async () => {
  const { egress, dialled } = await setUp();
  const { status, socket } = await tunnel(egress.lease(EXAMPLE), 'example.com:443');
  expect(status).toBe(200);
  socket!.write('hello');
  expect(String((await once(socket!, 'data'))[0])).toBe('hello');
  expect(dialled).toEqual(['93.184.216.34']);
});

test('asks for the password of the lease', async () => {
  const { egress, dialled } = await setUp();
  const [lease, other] = [egress.lease(EXAMPLE), egress.lease(EXAMPLE)];
  expect((await tunnel(lease, 'example.com:443', '')).status).toBe(407);
  expect((await tunnel(lease, 'example.com:443', 'guess')).status).toBe(407);
  expect((await tunnel(lease, 'example.com:443', new URL(other.proxyUrl).password)).status).toBe(407);
  lease.release();
  expect((await tunnel(lease, 'example.com:443')).status).toBe(407);
  expect(dialled).toEqual([]);
});

test.each(['a.com:443', 'example.com:22', '127.0.0.1:443', 'example.com'])(
  'a lease for example.com:443 does not reach %s',
  async (target) => {
    const { egress, dialled } = await setUp();
    const lease = egress.lease(EXAMPLE);
    expect((await tunnel(lease, target)).status).toBe(502);
    expect(lease.failure).toMatchObject({ code: 'bad_request', reason: 'redirected' });
    expect(dialled).toEqual([]);
  },
);

test.each(['mixed.example.com', 'metadata.example.com', 'printer.local'])(
  'never dials for %s',
  async (host) => {
    const { egress, dialled } = await setUp();
    const lease = egress.lease({ ...EXAMPLE, host });
    expect((await tunnel(lease, `${host}:443`)).status).toBe(502);
    expect(lease.failure).toMatchObject({ reason: 'private_address' });
    expect(dialled).toEqual([]);
  },
);

test('a name that changes its address between two lookups is dialled at the checked one or not at all', async () => {
  let requestCount = 0;
  const lookup: EgressPolicy['lookup'] = async () => {
    requestCount += 1;
    return [{ address: requestCount === 1 ? '93.184.216.34' : '10.0.0.1', family: 4 }];
  };
  const { egress, dialled } = await setUp({ lookup });
  expect((await tunnel(egress.lease(EXAMPLE), 'example.com:443')).status).toBe(200);
  expect(requestCount).toBe(1);
  const second = egress.lease(EXAMPLE);
  expect((await tunnel(second, 'example.com:443')).status).toBe(502);
  expect(second.failure).toMatchObject({ reason: 'private_address' });
  expect(dialled).toEqual(['93.184.216.34']);
});

test('breaks off at the cap and says so', async () => {
  const { egress } = await setUp({ serve: (socket) => socket.end(Buffer.alloc(100_000)) });
  const lease = egress.lease(EXAMPLE);
  const { socket } = await tunnel(lease, 'example.com:443');
  socket!.on('error', () => {}).resume();
  await once(socket!, 'close');
  expect(lease.failure).toMatchObject({ code: 'too_large', reason: 'too_large' });
});

test('the end of a lease closes its connections', async () => {
  const { egress } = await setUp();
  const lease = egress.lease(EXAMPLE);
  const { socket } = await tunnel(lease, 'example.com:443');
  const closed = once(socket!.resume(), 'close');
  lease.release();
  await closed;
});

/** Sends a request in absolute form through a lease. */
async function plain(lease: Lease, url: string): Promise<number> {
  const proxy = new URL(lease.proxyUrl);
  const secret = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const headers = { host: new URL(url).host, 'proxy-authorization': `Basic ${secret}` };
  const request = httpRequest({ host: proxy.hostname, port: proxy.port, path: url, headers });
  request.end();
  const [answer] = await once(request, 'response');
  answer.resume();
  return answer.statusCode;
}

test('plain http goes to allowed hosts only, and keeps the password to itself', async () => {
  let seen = '';
  const serve = (socket: Socket) =>
    socket.once('data', (bytes) => {
      seen = bytes.toString();
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
  const { egress, dialled } = await setUp({ serve, allowed: ['git.lan.example.com:8080'] });
  const lan = { host: 'git.lan.example.com', port: 8080, maxBytes: 1000 };
  expect(await plain(egress.lease(lan), 'http://git.lan.example.com:8080/r')).toBe(204);
  expect(seen).toMatch(/^GET \/r HTTP\/1\.1\r\n/);
  expect(seen).not.toMatch(/proxy-authorization/i);

  expect(await plain(egress.lease(lan), 'http://git.lan.example.com:8081/r')).toBe(502);
  expect(await plain(egress.lease({ ...EXAMPLE, port: 80 }), 'http://example.com/r')).toBe(502);
  expect(dialled).toEqual(['192.168.1.5']);
});
