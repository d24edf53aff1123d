import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toErrorReply } from './error-handler.ts';
import { serializeReply } from './serialize-reply.ts';
import { abortOnDisconnect } from './serve.ts';

/** Interval of comment lines, which keep proxies from closing idle connections. */
const KEEP_ALIVE_INTERVAL_MS = 10_000;

/** True when the client accepts server-sent events. */
export function acceptsEventStream(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/event-stream') ?? false;
}

/**
 * Creates a stream of server-sent events: those that `work` sends, then its result as `done`, or `error` in the shape of every
 * error. The signal aborts when the client disconnects; `maxBytes` bounds each event.
 */
export function createEventStream<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (send: (event: string, data: unknown) => void, signal: AbortSignal) => Promise<T>,
  maxBytes?: number,
): Readable {
  const stream = new PassThrough();
  const disconnected = abortOnDisconnect(reply);
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  const keepAlive = setInterval(() => stream.write(':\n\n'), KEEP_ALIVE_INTERVAL_MS);
  const send = (event: string, data: unknown) => {
    if (!disconnected.aborted) stream.write(`event: ${event}\ndata: ${serializeReply(data, maxBytes)}\n\n`);
  };
  work(send, disconnected)
    .then((result) => send('done', result))
    // After a disconnect nothing is sent, and errors caused by it are expected.
    .catch((error) => disconnected.aborted || send('error', toErrorReply(error, request)))
    .finally(() => {
      clearInterval(keepAlive);
      stream.end();
    });
  return stream;
}
