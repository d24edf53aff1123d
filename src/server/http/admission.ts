import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerConfig } from '../deps.ts';
import { ipKey } from '../rate-limit/rate-limiter.ts';
import { METRICS_PATH } from '../telemetry/metrics-route.ts';
import { hasBody, serverOverloaded } from './body-budget.ts';
import { HEALTH_PATHS } from './health.ts';

const EXEMPT_PATHS = [...HEALTH_PATHS, METRICS_PATH];
/** Share of the requests in flight that one IP may have. */
const IP_SHARE = 1 / 2;

const SAMPLE_INTERVAL_MS = 100;
/** Weight of the newest sample: one long task alone is no overload. */
const SAMPLE_WEIGHT = 0.2;
/** Overload is logged once in this time, not for every refusal. */
const LOG_INTERVAL_MS = 10_000;

type AdmissionConfig = Pick<ServerConfig, 'maxRequestsInFlight' | 'maxEventLoopDelayMs'>;

/**
 * Refuses requests with 503 and `Retry-After` while too many are in flight or the event loop is late, before they cost a query,
 * so that those which were admitted end in time. Health checks and metrics are exempt. A request is in flight until its reply
 * begins, except while its body arrives, which the sender can delay; WebSockets and event streams have limits of their own.
 */
export function limitLoad(app: FastifyInstance, config: AdmissionConfig): void {
  const inFlight = createInFlightCounter(config.maxRequestsInFlight);
  const delay = watchEventLoopDelay(app);
  const admitted = new WeakMap<FastifyRequest, string>();
  const enter = (request: FastifyRequest) => {
    const key = ipKey(request.ip);
    admitted.set(request, key);
    inFlight.add(key, 1);
  };
  const leave = (request: FastifyRequest) => {
    const key = admitted.get(request);
    if (key !== undefined && admitted.delete(request)) inFlight.add(key, -1);
  };
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refuse = (reason: object): never => {
    if (performance.now() - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = performance.now();
      app.log.warn(reason, 'overloaded: requests are refused');
    }
    throw serverOverloaded();
  };

  app.addHook('onRequest', async (request, reply) => {
    if (EXEMPT_PATHS.includes(request.routeOptions.url ?? '')) return;
    const { maxEventLoopDelayMs } = config;
    if (maxEventLoopDelayMs > 0 && delay.ms > maxEventLoopDelayMs) refuse({ eventLoopDelayMs: delay.ms });
    if (inFlight.isFull(ipKey(request.ip))) refuse({ inFlight: inFlight.total });
    // A handshake gives its connection away.
    if (request.headers.upgrade !== undefined) return;
    enter(request);
    reply.raw.once('close', () => leave(request));
  });
  app.addHook('preParsing', async (request) => {
    if (hasBody(request)) leave(request);
  });
  app.addHook('preValidation', async (request, reply) => {
    if (hasBody(request) && !reply.raw.destroyed) enter(request);
  });
  app.addHook('onSend', async (request) => leave(request));
}

function createInFlightCounter(max: number) {
  const byIp = new Map<string, number>();
  let total = 0;
  return {
    isFull: (ip: string) => total >= max || (byIp.get(ip) ?? 0) >= max * IP_SHARE,
    add(ip: string, change: number) {
      total += change;
      const count = (byIp.get(ip) ?? 0) + change;
      if (count > 0) byIp.set(ip, count);
      else byIp.delete(ip);
    },
    get total() {
      return total;
    },
  };
}

/** Delay of a timer, as a moving average of about half a second. */
function watchEventLoopDelay(app: FastifyInstance): { ms: number } {
  const delay = { ms: 0 };
  let due = performance.now() + SAMPLE_INTERVAL_MS;
  const timer = setInterval(() => {
    const late = Math.max(0, performance.now() - due);
    delay.ms += SAMPLE_WEIGHT * (late - delay.ms);
    due = performance.now() + SAMPLE_INTERVAL_MS;
  }, SAMPLE_INTERVAL_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return delay;
}
