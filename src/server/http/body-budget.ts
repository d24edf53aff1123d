import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { ServerConfig } from '../deps.ts';
import { ipKey } from '../rate-limit/rate-limiter.ts';

/** Shares of the budget that the requests of one IP and of one user may use. */
const IP_SHARE = 1 / 2;
const USER_SHARE = 1 / 4;

const RETRY_AFTER_S = 5;

/** Unread bodies up to this size are read and dropped, so that the connection can be reused. */
const MAX_DRAINED_BODY_BYTES = 64 * 1024;

/** Counts the bytes of request bodies in memory, in total and by sender. */
interface BodyBudget {
  /** Reserves bytes for each sender; returns false, reserving nothing, when a share or the total would be exceeded. */
  reserve(senders: Sender[], bytes: number): boolean;
  release(senders: Sender[], bytes: number): void;
}

/** A client that a body is counted for. */
interface Sender {
  key: string;
  share: number;
}

/** Creates a budget of `maxBytes` in total. */
function createBodyBudget(maxBytes: number): BodyBudget {
  const used = new Map<string, number>();
  const whole = { key: 'all', share: 1 };
  const add = (senders: Sender[], bytes: number) => {
    for (const { key } of [whole, ...senders]) {
      const next = (used.get(key) ?? 0) + bytes;
      if (next > 0) used.set(key, next);
      else used.delete(key);
    }
  };
  return {
    reserve(senders, bytes) {
      const hasRoom = [whole, ...senders].every(
        ({ key, share }) => (used.get(key) ?? 0) + bytes <= maxBytes * share,
      );
      if (hasRoom) add(senders, bytes);
      return hasRoom;
    },
    release: (senders, bytes) => add(senders, -bytes),
  };
}

/**
 * Counts request bodies from their arrival until the reply is sent, once the caller is identified. Beyond the budget a request
 * is refused with 503, and its connection closes after the reply.
 */
export function limitBodies(app: FastifyInstance, config: Pick<ServerConfig, 'maxBufferedBytes'>): void {
  const budget = createBodyBudget(config.maxBufferedBytes);
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request)) return payload;
    const senders = sendersOf(request);
    let taken = 0;
    let isOver = false;
    const release = () => {
      budget.release(senders, taken);
      taken = 0;
      isOver = true;
    };
    reply.raw.once('close', release).once('finish', release);
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        // Bytes that arrive after the reply are dropped.
        if (isOver) return done();
        if (!budget.reserve(senders, chunk.length)) return done(serverOverloaded());
        taken += chunk.length;
        done(null, chunk);
      },
    });
    // A parser that has refused the body no longer handles errors.
    counted.on('error', () => {});
    payload.once('error', (error) => counted.destroy(error));
    return payload.pipe(counted);
  });
}

/** Closes the connection after a refusal that left a large body unread. */
export function closeUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete || !hasBody(request)) return;
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length > MAX_DRAINED_BODY_BYTES) reply.header('connection', 'close');
}

/** True when the headers announce a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function sendersOf({ ip, caller }: FastifyRequest): Sender[] {
  const senders = [{ key: `ip:${ipKey(ip)}`, share: IP_SHARE }];
  if (caller) senders.push({ key: `user:${caller.userId}`, share: USER_SHARE });
  return senders;
}

/** The 503 of a server that has too much to do. */
export function serverOverloaded(): AppError {
  return new AppError('unavailable', 'server_overloaded', {
    reason: 'busy',
    retryAfter: RETRY_AFTER_S,
  });
}
