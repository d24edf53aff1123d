import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable, Transform } from 'node:stream';
import type { Egress, Lease } from './proxy.ts';
import { parseWebUrl } from './send-message.ts';

/** Timeouts of each phase of a call in milliseconds, and the size limit of the reply. */
interface FetchLimits {
  connectMs: number;
  /** From the request to the head of the reply. */
  firstByteMs: number;
  /** Between two pieces of the reply. */
  idleMs: number;
  maxBytes: number;
}

/** Error of a call without a complete reply. */
export class FetchFailure extends Error {
  override readonly name = 'NoReply';
  readonly reason: 'unreachable' | 'timed_out' | 'too_large' | 'broken_off';

  constructor(reason: FetchFailure['reason'], cause?: unknown) {
    super(`No whole reply: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/**
 * A `fetch` that reaches one origin and no other: redirects come back as they are. An origin that a user has named needs
 * `egress`, whose proxy dials checked addresses only; one that the operator has named is dialled directly.
 * Every call has a connection of its own, so that none is left behind. Rejects with NoReply, or the error of `egress`.
 */
export function createOriginFetch(origin: string, limits: FetchLimits, egress?: Egress): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new FetchFailure('unreachable');
    const proxied = egress ? await leaseConnection(egress, url, limits) : null;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: init.method,
      headers: Object.fromEntries(new Headers(init.headers)),
      signal: init.signal ?? undefined,
      agent: proxied?.agent ?? false,
    });
    request.once('close', () => proxied?.release());
    const firstByte = startTimeouts(request, limits);
    request.once('error', (error) => {
      clearTimeout(firstByte);
      if (init.signal?.aborted || error instanceof FetchFailure) reject(error);
      else reject(proxied?.lease.failure ?? new FetchFailure('unreachable', error));
    });
    request.once('response', (message) => {
      clearTimeout(firstByte);
      const refusal = proxied?.lease.failure;
      if (refusal) {
        reject(refusal);
        request.destroy();
      } else resolve(toResponse(request, message, limits));
    });
    request.end(init.body as string | Uint8Array | undefined);
    return await promise;
  };
}

interface ProxiedConnection {
  agent: HttpAgent | HttpsAgent;
  lease: Lease;
  release(): void;
}

/** Bytes on the wire for each byte of a reply, with its headers and its encryption. */
const WIRE_FACTOR = 2;

/** Leases a way to the host of a URL through the proxy. Throws `bad_request` unless it may be reached. */
async function leaseConnection(
  egress: Egress,
  url: URL,
  { maxBytes }: FetchLimits,
): Promise<ProxiedConnection> {
  const address = parseWebUrl(url.href);
  await egress.check(address);
  const { host, port, protocol } = address;
  const lease = egress.lease({ host, port, protocol, maxBytes: maxBytes * WIRE_FACTOR, mayBeSlow: true });
  const proxyEnv = { http_proxy: lease.proxyUrl, https_proxy: lease.proxyUrl };
  const agent = protocol === 'http:' ? new HttpAgent({ proxyEnv }) : new HttpsAgent({ proxyEnv });
  const release = () => {
    agent.destroy();
    lease.release();
  };
  return { agent, lease, release };
}

/** Aborts a request that does not connect, or gets no reply in time. */
function startTimeouts(request: ClientRequest, { connectMs, firstByteMs }: FetchLimits): NodeJS.Timeout {
  const connect = setTimeout(() => request.destroy(new FetchFailure('unreachable')), connectMs);
  request.once('close', () => clearTimeout(connect));
  request.once('socket', (socket) => {
    const ready = request.protocol === 'https:' ? 'secureConnect' : 'connect';
    socket.once(ready, () => clearTimeout(connect));
  });
  return setTimeout(() => request.destroy(new FetchFailure('timed_out')), firstByteMs);
}

/** Statuses of replies without a body. */
const EMPTY_STATUSES = new Set([101, 204, 205, 304]);

function toResponse(request: ClientRequest, message: IncomingMessage, limits: FetchLimits): Response {
  const { idleMs, maxBytes } = limits;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const status = message.statusCode ?? 502;
  if (EMPTY_STATUSES.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      idle.refresh();
      bytes += chunk.length;
      done(bytes > maxBytes ? new FetchFailure('too_large') : null, chunk);
    },
  });
  const idle = setTimeout(() => body.destroy(new FetchFailure('timed_out')), idleMs);
  body.once('close', () => {
    clearTimeout(idle);
    request.destroy();
  });
  // Its reader gets the error too, unless it has left.
  body.on('error', () => {});
  message.once('error', (error) => body.destroy(new FetchFailure('broken_off', error)));
  message.pipe(body);
  return new Response(Readable.toWeb(body) as ReadableStream, { status, headers });
}
