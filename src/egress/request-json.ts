import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AppError } from '#contract/errors.ts';
import type { Egress } from './proxy.ts';
import { parseWebUrl } from './send-message.ts';

interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  signal?: AbortSignal;
}

/** A reply of a JSON API. Its value is null where the body is not JSON. */
interface JsonReply {
  status: number;
  headers: IncomingMessage['headers'];
  value: unknown;
}

const TIMEOUT_MS = 20_000;
const MAX_REPLY_BYTES = 8 * 2 ** 20;

/**
 * Gets JSON through the proxy of `egress`, which dials checked addresses only. Redirects are not followed. Throws `bad_request`
 * for what may not be reached, `unavailable` when there is no reply, `too_large` beyond 8 MiB.
 */
export async function requestJson(egress: Egress, { url, headers, signal }: JsonRequest): Promise<JsonReply> {
  const address = parseWebUrl(url);
  await egress.check(address);
  const { host, port, protocol } = address;
  const lease = egress.lease({ host, port, protocol, maxBytes: MAX_REPLY_BYTES });
  const proxyEnv = { http_proxy: lease.proxyUrl, https_proxy: lease.proxyUrl };
  const isPlain = protocol === 'http:';
  const agent = isPlain ? new HttpAgent({ proxyEnv }) : new HttpsAgent({ proxyEnv });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const aborted = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isPlain ? httpRequest : httpsRequest)(url, { headers, agent, signal: aborted });
      request.once('error', reject);
      request.once('response', resolve);
      request.end();
    });
    const text = await readText(reply);
    return { status: reply.statusCode ?? 502, headers: reply.headers, value: parseJson(text) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    throw lease.failure ?? new AppError('unavailable', 'recipient_no_response', { cause });
  } finally {
    agent.destroy();
    lease.release();
  }
}

async function readText(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of reply as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_REPLY_BYTES) throw new AppError('too_large', 'host_reply_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
