import { Agent, request } from 'node:http';

/** A reply, or status 0 where the connection broke or the time was up. */
export interface LoadReply {
  status: number;
  body: string;
  retryAfter: string | undefined;
  ms: number;
}

interface LoadRequest {
  method: string;
  token?: string;
  /** Sent as JSON; a text is sent as it stands. */
  body?: object | string | undefined;
  /** Number of the client, of which some have an IP of their own. */
  client?: number;
}

const TIMEOUT_MS = 30_000;
const IPS = 8;
/** Linux accepts every address of 127.0.0.0/8; elsewhere all clients have one IP. */
const agents = Array.from(
  { length: IPS },
  (_, index) =>
    new Agent({
      keepAlive: true,
      ...(process.platform === 'linux' && { localAddress: `127.0.0.${index + 1}` }),
    }),
);

/** Sends a request and reads its whole reply; never rejects. */
export function send(url: string, { method, token = '', body, client = 0 }: LoadRequest): Promise<LoadReply> {
  const started = performance.now();
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  return new Promise((resolve) => {
    const end = (status: number, text: string, retryAfter?: string) =>
      resolve({ status, body: text, retryAfter, ms: performance.now() - started });
    const sent = request(
      url,
      {
        method,
        agent: agents[client % IPS]!,
        timeout: TIMEOUT_MS,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(typeof body === 'object' && { 'content-type': 'application/json' }),
          ...(text && { 'content-length': String(Buffer.byteLength(text)) }),
        },
      },
      (reply) => {
        let content = '';
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          content += chunk;
        });
        reply.on('end', () => end(reply.statusCode!, content, reply.headers['retry-after']));
        reply.on('error', () => end(0, ''));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', () => end(0, ''));
    sent.end(text);
  });
}

/** Sends a request and returns its JSON. Throws for any error. */
export async function sendJson(url: string, options: LoadRequest): Promise<Record<string, unknown>> {
  const { status, body } = await send(url, options);
  if (status < 200 || status > 299) throw new Error(`${options.method} ${url}: ${status} ${body}`);
  return JSON.parse(body) as Record<string, unknown>;
}

/** Closes idle connections. */
export function closeAgents(): void {
  for (const agent of agents) agent.destroy();
}
