import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AppError } from '#contract/errors.ts';
import type { Egress } from './proxy.ts';
import type { RemoteUrl } from './remote-url.ts';

/** A request to a URL that a user supplied. */
interface OutgoingMessage {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer;
}

const TIMEOUT_MS = 15_000;
const MAX_REPLY_BYTES = 64 * 1024;
const PORTS = { 'https:': 443, 'http:': 80 } as const;

/** Parses the URL of a message, for `Egress.check`. Throws `bad_request` for any but a web URL. */
export function parseWebUrl(url: string): WebUrl {
  const { protocol, hostname, port, href, username } = URL.parse(url) ?? {};
  if ((protocol !== 'https:' && protocol !== 'http:') || !hostname || !href || username) {
    throw new AppError('bad_request', 'recipient_url_invalid');
  }
  const host = hostname.replace(/^\[|\]$|\.+$/g, '');
  return { href, protocol, host, port: port ? Number(port) : PORTS[protocol], credentials: null };
}

type WebUrl = RemoteUrl & { protocol: 'http:' | 'https:' };

/**
 * Sends a message through the proxy of `egress`, which dials checked addresses only, and returns the status of the reply.
 * Redirects are not followed. Throws `bad_request` for what may not be reached, `unavailable` when there is no reply.
 */
export async function sendMessage(egress: Egress, message: OutgoingMessage): Promise<number> {
  const { status } = await sendRequest(egress, { ...message, maxBytes: MAX_REPLY_BYTES });
  return status;
}

/** Reply to a request, with what went over the wire. */
interface HostReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Bytes, with headers. */
  sent: number;
  received: number;
}

/** The same with the body of the reply, of at most `maxBytes`. `ca` replaces the certificate authorities of the system. */
export async function sendRequest(
  egress: Egress,
  {
    url,
    method,
    headers,
    body,
    maxBytes,
    ca,
    timeoutMs = TIMEOUT_MS,
  }: OutgoingMessage & { maxBytes: number; ca?: Buffer | undefined; timeoutMs?: number | undefined },
): Promise<HostReply> {
  const address = parseWebUrl(url);
  await egress.check(address);
  const { host, port, protocol } = address;
  const lease = egress.lease({ host, port, protocol, maxBytes });
  const proxyEnv = { http_proxy: lease.proxyUrl, https_proxy: lease.proxyUrl };
  const isPlain = protocol === 'http:';
  const agent = isPlain ? new HttpAgent({ proxyEnv }) : new HttpsAgent({ proxyEnv, ...(ca && { ca }) });
  try {
    const reply = await new Promise<Pick<HostReply, 'status' | 'headers' | 'body'>>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = (isPlain ? httpRequest : httpsRequest)(url, { method, headers, agent, signal });
      request.once('error', reject);
      request.once('response', (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.once('error', reject);
        reply.once('end', () => {
          resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body: Buffer.concat(chunks) });
        });
      });
      request.end(body);
    });
    return { ...reply, sent: lease.sent, received: lease.received };
  } catch (cause) {
    throw lease.failure ?? new AppError('unavailable', 'recipient_no_response', { cause });
  } finally {
    agent.destroy();
    lease.release();
  }
}
