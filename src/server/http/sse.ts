import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toErrorReply } from './error-handler.ts';
import { serializeReply } from './serialize-reply.ts';
import { abortOnDisconnect } from './serve.ts';

/** Comment lines keep proxies from closing a line on which nothing is said for a while. */
const KEEP_ALIVE_INTERVAL_MS = 10_000;

/** Whether the caller wants the answer as server-sent events. */
export function acceptsEventStream(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/event-stream') ?? false;
}

/**
 * Answers with server-sent events: those that `work` sends, then its result as `done`, or `error` in the shape of
 * every error. The signal aborts when the caller has gone.
 */
export function createEventStream<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (send: (event: string, data: unknown) => void, signal: AbortSignal) => Promise<T>,
): Readable {
  const stream = new PassThrough();
  const gone = abortOnDisconnect(reply);
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  const keepAlive = setInterval(() => stream.write(':\n\n'), KEEP_ALIVE_INTERVAL_MS);
  const send = (event: string, data: unknown) => {
    if (!gone.aborted) stream.write(`event: ${event}\ndata: ${serializeReply(data)}\n\n`);
  };
  work(send, gone)
    .then((result) => send('done', result))
    // Whoever has gone is told nothing, and what their going ended is no error.
    .catch((error) => gone.aborted || send('error', toErrorReply(error, request)))
    .finally(() => {
      clearInterval(keepAlive);
      stream.end();
    });
  return stream;
}
