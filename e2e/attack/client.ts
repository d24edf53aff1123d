import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One HTTP request, as an attacker may write it. */
export interface HttpRequest {
  method?: string;
  /** With its query, exactly as it is sent. */
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown;
  /** Loopback IP address of the sender. */
  from?: string;
  /** Closes the connection after so many milliseconds, whatever has come. */
  hangUpMs?: number;
  timeoutMs?: number;
}

/** Reply to a request. `status` is null where the connection ended without a reply. */
export interface Reply {
  status: number | null;
  headers: IncomingHttpHeaders;
  /** At most `MAX_KEPT` bytes of it. */
  text: string;
  bytes: number;
  ms: number;
  /** The attacker closed the connection. */
  hungUp: boolean;
}

const MAX_KEPT = 16 * 2 ** 20;
const TIMEOUT_MS = 60_000;
const agents = new Map<string, Agent>();

/** Sends one request and reads the whole reply. Never rejects. */
export function sendHttp(port: number, options: HttpRequest): Promise<Reply> {
  const { method = 'GET', path, from = '127.0.0.1', hangUpMs, timeoutMs = TIMEOUT_MS } = options;
  const body = toBytes(options.body);
  const headers: OutgoingHttpHeaders = {
    ...(body !== null && typeof options.body === 'object' && { 'content-type': 'application/json' }),
    ...(body !== null && { 'content-length': body.length }),
    ...options.headers,
  };
  const began = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [bytes, hungUp, status] = [0, false, null as number | null];
    let replyHeaders: IncomingHttpHeaders = {};
    const finish = (complete: boolean) => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8');
      const ms = performance.now() - began;
      resolve({ status: complete ? status : null, headers: replyHeaders, text, bytes, ms, hungUp });
    };
    const call = request({
      ...{ host: '127.0.0.1', port, method, path, headers, localAddress: from, agent: agentFor(from) },
      insecureHTTPParser: false,
    });
    const timer = setTimeout(() => {
      hungUp = hangUpMs !== undefined;
      call.destroy();
    }, hangUpMs ?? timeoutMs);
    call.on('response', (response) => {
      status = response.statusCode ?? null;
      replyHeaders = response.headers;
      response.on('data', (chunk: Buffer) => {
        if (bytes < MAX_KEPT) chunks.push(chunk);
        bytes += chunk.length;
      });
      response.on('end', () => finish(true));
      response.on('close', () => finish(response.complete));
    });
    call.on('error', () => finish(false));
    call.on('close', () => finish(false));
    call.end(body ?? undefined);
  });
}

function toBytes(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function agentFor(from: string): Agent {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 4 });
  agents.set(from, agent);
  return agent;
}

/** Reply on a socket. */
export interface RawReply {
  text: string;
  closed: boolean;
  /** Until the first byte; null where none came. */
  ms: number | null;
}

/** Writes bytes to a socket, piece by piece, and returns what came back until it closed or `waitMs` were over. */
export async function sendTcp(
  port: number,
  pieces: (string | Buffer)[],
  { waitMs = 2000, pauseMs = 0, host = '127.0.0.1' } = {},
): Promise<RawReply> {
  const began = performance.now();
  const socket = connect(port, host);
  const chunks: Buffer[] = [];
  let closed = false;
  let ms: number | null = null;
  socket.on('data', (chunk) => {
    ms ??= performance.now() - began;
    chunks.push(chunk);
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) =>
    socket.once('close', () => {
      closed = true;
      resolve();
    }),
  );
  for (const piece of pieces) {
    if (closed) break;
    socket.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  await Promise.race([ended, sleep(waitMs)]);
  const result = { text: Buffer.concat(chunks).toString('latin1'), closed, ms };
  socket.destroy();
  return result;
}

/** The status of a reply that was read as text; null without one. */
export function statusOf(text: string): number | null {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  return status === undefined ? null : Number(status);
}

/** Runs `work` for every item, so many at once, and returns the results in order. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
