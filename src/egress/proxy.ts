import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { AppError, type ErrorMessage } from '#contract/errors.ts';
import {
  checkRemote,
  type EgressPolicy,
  type IpAddress,
  isAllowedPrivate,
  type RemoteUrl,
  resolveHost,
} from './remote-url.ts';

/** Permissions of a lease. */
interface LeaseRequest {
  host: string;
  port: number;
  /** By ssh, what goes through the tunnel is ssh's own. */
  protocol?: Exclude<RemoteUrl['protocol'], 'file:'>;
  /** Bytes that may come down the wire, over all connections of the lease. */
  maxBytes: number;
  /** The reply may come slowly, as it is written. Silence has a limit of its own. */
  mayBeSlow?: boolean;
}

/** Limit of one phase of a connection, counted from its start. */
interface TransferLimit {
  /** Bytes that may come down the wire. */
  maxBytes: number;
  /** Said, with the reason `too_large`, where more comes. */
  tooLarge: ErrorMessage;
}

/** The right of one git run to reach one host through the proxy. */
export interface Lease {
  /** Address of the proxy with the lease's own password in it: never on a command line. */
  readonly proxyUrl: string;
  /** Environment of a git process beside the proxy. */
  readonly env: Record<string, string>;
  /** Error for which the proxy refused or aborted: more precise than that of git. */
  readonly failure: AppError | null;
  /** Bytes that went either way, over all connections. */
  readonly sent: number;
  readonly received: number;
  /** Begins a part of the conversation, with limits of its own beside those of the lease. */
  limit(transfer: TransferLimit): void;
  /** Ends the lease and closes its connections. */
  release(): void;
}

/** The one way out for git: a proxy on loopback that dials only addresses that it has checked itself. */
export interface Egress {
  /** Returns the URL to pass to git. Throws `bad_request` unless it may be reached, before anything is started. */
  check(address: RemoteUrl): Promise<string>;
  lease(request: LeaseRequest): Lease;
  close(): Promise<void>;
}

/** Connects to an IP address; tests without a network replace it. */
type Dial = (address: IpAddress, port: number) => Socket;

/** One line for the record of connections. */
interface EgressEvent {
  host: string;
  port: number;
  /** `connected`, or the reason of the refusal. */
  outcome: string;
}

interface OpenLease extends LeaseRequest {
  password: Buffer;
  received: number;
  sent: number;
  failure: AppError | null;
  sockets: Set<Duplex>;
  transfer: TransferLimit | null;
  /** Start of the current phase in milliseconds, and the bytes received before it. */
  began: number;
  receivedBefore: number;
}

interface Proxy {
  policy: EgressPolicy;
  dial: Dial;
  log: (event: EgressEvent) => void;
  leases: Map<string, OpenLease>;
  minRate: MinRate;
}

/** The average below which a transfer is broken off, once it has lasted a while. */
interface MinRate {
  bytesPerS: number;
  afterS: number;
}

const MIN_RATE: MinRate = { bytesPerS: 10 * 1024, afterS: 60 };
const MAX_SENT_BYTES = 50 * 2 ** 20;
const IDLE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Starts the proxy on 127.0.0.1 at a random port. */
export async function startEgress(
  options: EgressPolicy & { connect?: Dial; log?: (event: EgressEvent) => void; minRate?: MinRate },
): Promise<Egress> {
  const policy = { ...options };
  const proxy: Proxy = {
    policy,
    dial: options.connect ?? ((to, port) => connect({ host: to.address, port, family: to.family })),
    log: options.log ?? (() => {}),
    leases: new Map(),
    minRate: options.minRate ?? MIN_RATE,
  };
  const server = createServer((request, reply) => void forward(proxy, request, reply));
  server.on('connect', (request: IncomingMessage, client: Duplex) => void tunnel(proxy, request, client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async check(address) {
      const stored = (await options.loadAllowedHosts?.()) ?? [];
      policy.allowedPrivateHosts = [...options.allowedPrivateHosts, ...stored];
      return await checkRemote(address, policy);
    },
    lease: (request) => grantLease(proxy, port, request),
    async close() {
      for (const lease of proxy.leases.values()) {
        destroyAll(lease);
      }
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function grantLease(proxy: Proxy, port: number, request: LeaseRequest): Lease {
  const id = randomBytes(9).toString('hex');
  const password = randomBytes(24).toString('hex');
  const lease: OpenLease = {
    ...request,
    password: digest(password),
    received: 0,
    sent: 0,
    failure: null,
    sockets: new Set(),
    transfer: null,
    began: performance.now(),
    receivedBefore: 0,
  };
  proxy.leases.set(id, lease);
  const plain = isAllowedPrivate(request.host, request.port, proxy.policy.allowedPrivateHosts);
  const web = plain ? 'https:http' : 'https';
  return {
    proxyUrl: `http://${id}:${password}@127.0.0.1:${port}`,
    env: { GIT_ALLOW_PROTOCOL: request.protocol === 'ssh:' ? 'ssh' : web },
    get failure() {
      return lease.failure;
    },
    get sent() {
      return lease.sent;
    },
    get received() {
      return lease.received;
    },
    limit(transfer) {
      Object.assign(lease, { transfer, began: performance.now(), receivedBefore: lease.received });
    },
    release() {
      proxy.leases.delete(id);
      destroyAll(lease);
    },
  };
}

/** `CONNECT host:port`: bytes both ways, unread. */
async function tunnel(proxy: Proxy, request: IncomingMessage, client: Duplex): Promise<void> {
  client.on('error', () => {});
  const lease = findLease(proxy, request);
  if (lease === null) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    return;
  }
  trackSocket(lease, client);
  try {
    if (request.url !== authority(lease)) {
      throw wrongHostError(lease);
    }
    const upstream = await dialChecked(proxy, lease);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
    countReceived(proxy, lease, upstream);
    countSent(proxy, lease, client);
  } catch (error) {
    failLease(proxy, lease, error as AppError);
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  }
}

/** Plain http, as `GET http://host/path`: only for hosts that the operator has allowed. */
async function forward(proxy: Proxy, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const lease = findLease(proxy, request);
  if (lease === null) {
    reply.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
    return;
  }
  try {
    const url = URL.parse(request.url ?? '');
    const isAllowed = isAllowedPrivate(lease.host, lease.port, proxy.policy.allowedPrivateHosts);
    const target = url?.port === '' ? `${url.host}:80` : url?.host;
    if (url?.protocol !== 'http:' || !isAllowed || target !== authority(lease)) {
      throw wrongHostError(lease);
    }
    const upstream = await dialChecked(proxy, lease);
    reply.once('close', () => upstream.destroy());
    const onward = httpRequest({
      createConnection: () => upstream,
      method: request.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...endToEnd(request.headers), connection: 'close' },
    });
    onward.once('error', () => reply.destroy());
    onward.once('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.once('error', () => reply.destroy());
      answer.pipe(reply);
      countReceived(proxy, lease, answer);
    });
    countSent(proxy, lease, request);
    request.pipe(onward);
  } catch (error) {
    failLease(proxy, lease, error as AppError);
    reply.writeHead(502, { connection: 'close' }).end();
  }
}

/** Resolves the host once, checks every IP address and connects to one of them, which prevents DNS rebinding. */
async function dialChecked(proxy: Proxy, lease: OpenLease): Promise<Socket> {
  const addresses = await resolveHost(lease.host, lease.port, proxy.policy);
  let cause: unknown;
  for (const address of addresses) {
    const upstream = proxy.dial(address, lease.port);
    trackSocket(lease, upstream);
    try {
      await connected(upstream);
      upstream.setTimeout(IDLE_TIMEOUT_MS, () => {
        failLease(
          proxy,
          lease,
          new AppError('unavailable', 'host_timed_out', {
            params: { host: lease.host, seconds: IDLE_TIMEOUT_MS / 1000 },
            reason: 'timed_out',
          }),
        );
        destroyAll(lease);
      });
      proxy.log({ host: lease.host, port: lease.port, outcome: 'connected' });
      return upstream;
    } catch (error) {
      cause = error;
    }
  }
  throw new AppError('unavailable', 'host_unreachable', {
    params: { host: lease.host },
    reason: 'unreachable',
    cause,
  });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve();
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** Breaks everything off once more has come than the lease allows, or it comes too slowly. */
function countReceived(proxy: Proxy, lease: OpenLease, down: Readable): void {
  down.on('data', (chunk: Buffer) => {
    lease.received += chunk.length;
    breakOff(proxy, lease, checkSize(lease) ?? (lease.mayBeSlow ? null : checkRate(lease, proxy.minRate)));
  });
}

/** Breaks everything off once more was sent than a lease allows. */
function countSent(proxy: Proxy, lease: OpenLease, up: Readable): void {
  up.on('data', (chunk: Buffer) => {
    lease.sent += chunk.length;
    if (lease.sent > MAX_SENT_BYTES) breakOff(proxy, lease, tooLarge({ key: 'git_upload_too_large' }));
  });
}

function breakOff(proxy: Proxy, lease: OpenLease, failure: AppError | null): void {
  if (failure === null) return;
  failLease(proxy, lease, failure);
  destroyAll(lease);
}

function tooLarge({ key, params }: ErrorMessage): AppError {
  return new AppError('too_large', key, { params, reason: 'too_large' });
}

function checkSize({ received, receivedBefore, maxBytes, transfer }: OpenLease): AppError | null {
  if (received > maxBytes) {
    return tooLarge({ key: 'repository_larger_than', params: { size: megabytes(maxBytes) } });
  }
  return transfer && received - receivedBefore > transfer.maxBytes ? tooLarge(transfer.tooLarge) : null;
}

/** Bytes that come a few at a time would keep a place busy that others wait for. Silence has a limit of its own. */
function checkRate(lease: OpenLease, { bytesPerS, afterS }: MinRate): AppError | null {
  const seconds = (performance.now() - lease.began) / 1000;
  // A push sends far more than it receives.
  const transferred = lease.received - lease.receivedBefore + lease.sent;
  if (seconds < afterS || transferred >= seconds * bytesPerS) return null;
  return new AppError('unavailable', 'transfer_too_slow', {
    params: { host: lease.host, rate: bytesPerS / 1024 },
    reason: 'too_slow',
  });
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toLocaleString('en', { maximumFractionDigits: 1 });
}

/** Finds the lease by the password of a request. Compares digests, to prevent timing attacks. */
function findLease(proxy: Proxy, request: IncomingMessage): OpenLease | null {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
  const [id = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  const lease = proxy.leases.get(id);
  return lease !== undefined && timingSafeEqual(digest(password), lease.password) ? lease : null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function authority({ host, port }: LeaseRequest): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Headers without those that concern one hop only. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    'proxy-authorization': _,
    'proxy-connection': __,
    connection: ___,
    expect: ____,
    ...rest
  } = headers;
  return rest;
}

function trackSocket(lease: OpenLease, socket: Duplex): void {
  lease.sockets.add(socket);
  socket.once('close', () => lease.sockets.delete(socket));
}

/** The first failure is the cause; what follows are its consequences. */
function failLease(proxy: Proxy, lease: OpenLease, failure: AppError): void {
  lease.failure ??= failure;
  proxy.log({ host: lease.host, port: lease.port, outcome: failure.reason ?? failure.code });
}

function destroyAll(lease: OpenLease): void {
  for (const socket of lease.sockets) {
    socket.destroy();
  }
}

function wrongHostError(lease: OpenLease): AppError {
  return new AppError('bad_request', 'redirected_to_other_host', {
    params: { host: lease.host },
    reason: 'redirected',
  });
}
