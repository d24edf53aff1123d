import { chmod } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Egress, Lease } from '#egress/proxy.ts';

/** The way out of a set-up command, as a socket that is mounted into its sandbox. */
interface EgressGateway {
  /** Hosts that the command asked for and may not reach, `host:port` each. */
  readonly refused: string[];
  close(): Promise<void>;
}

const MAX_REFUSED = 20;
const HTTPS_PORT = 443;

/**
 * Listens on a unix socket for `CONNECT host:port`, and passes tunnels to listed hosts on to the egress proxy, which resolves and
 * checks the address. `hosts` are names (for port 443), `name:port`, or `.example.org` for a domain with its subdomains.
 */
export async function openEgressGateway(
  socket: string,
  { egress, hosts, maxBytes }: { egress: Egress; hosts: readonly string[]; maxBytes: number },
): Promise<EgressGateway> {
  const leases = new Map<string, Lease>();
  const refused = new Set<string>();
  const clients = new Set<Duplex>();
  const server = createServer((_, reply) => void reply.writeHead(405, { connection: 'close' }).end());
  server.on('connect', (request: IncomingMessage, client: Duplex, first: Buffer) => {
    client.on('error', () => {});
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const target = parseAuthority(request.url ?? '');
    if (target === null || !isListed(target, hosts)) {
      if (refused.size < MAX_REFUSED) refused.add((request.url ?? '').slice(0, 300));
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const authority = `${target.host}:${target.port}`;
    const lease = leases.get(authority) ?? egress.lease({ ...target, maxBytes, mayBeSlow: true });
    leases.set(authority, lease);
    // What came right behind the request belongs to the tunnel.
    if (first.length > 0) client.unshift(first);
    tunnel(lease, authority, client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  // The user of the sandbox is another one when the server runs as root; the folder of the socket is closed to all others.
  await chmod(socket, 0o666);
  return {
    get refused() {
      return [...refused];
    },
    async close() {
      for (const lease of leases.values()) lease.release();
      for (const client of clients) client.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function tunnel(lease: Lease, authority: string, client: Duplex): void {
  const proxy = new URL(lease.proxyUrl);
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const request = httpRequest({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { 'proxy-authorization': `Basic ${credentials}` },
  });
  request.once('error', () => client.destroy());
  request.once('connect', (reply, upstream, first) => {
    upstream.on('error', () => {});
    if (reply.statusCode !== 200) {
      upstream.destroy();
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.write(first);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  request.end();
}

/** `example.org:443`; anything else, such as an IPv6 address, is null. */
function parseAuthority(text: string): { host: string; port: number } | null {
  const [, host, port] = /^([a-z0-9_][a-z0-9._-]{0,252}):(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined ? null : { host: host.toLowerCase().replace(/\.+$/, ''), port: Number(port) };
}

function isListed({ host, port }: { host: string; port: number }, hosts: readonly string[]): boolean {
  return hosts.some((entry) => {
    const [name = '', listedPort = String(HTTPS_PORT)] = entry.toLowerCase().split(':');
    if (Number(listedPort) !== port || name === '') return false;
    return name.startsWith('.') ? host === name.slice(1) || host.endsWith(name) : host === name;
  });
}
