import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { createGaugeReader } from './server-gauges.ts';

/** Path of the metrics for Prometheus. */
export const METRICS_PATH = '/metrics';
/** Label of requests that match no route of the program, so that scanners create no labels. */
const PAGES = 'pages';

type MetricsDeps = Pick<Deps, 'db' | 'config' | 'disk' | 'indexCache' | 'queues' | 'metrics'>;

/**
 * Serves `/metrics` for Prometheus: to this machine without signing in, to others with the bearer token
 * `METRICS_TOKEN`. Measures every request by route pattern.
 */
export function serveMetrics(app: FastifyInstance, deps: MetricsDeps): void {
  const { metrics, config } = deps;
  const readGauges = createGaugeReader(deps, (err) =>
    app.log.warn({ err }, 'reading metrics from the database failed'),
  );
  app.get(METRICS_PATH, async (request, reply) => {
    requireMetricsAccess(request, config.metricsToken ?? null);
    await readGauges();
    return reply
      .type(metrics.registry.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.registry.metrics());
  });
}

/** Measures the time of every request, and how many are being answered. */
export function measureRequests(app: FastifyInstance, { metrics }: Pick<Deps, 'metrics'>): void {
  app.addHook('onRequest', async (request, reply) => {
    // A handshake gives its connection away.
    if (request.headers.upgrade !== undefined) return;
    metrics.requestsInFlight.inc();
    reply.raw.once('close', () => metrics.requestsInFlight.dec());
  });
  app.addHook('onResponse', async (request, reply) => {
    const { url = PAGES } = request.routeOptions;
    const route = request.matchesPages ? PAGES : url;
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    metrics.requestDuration.observe(labels, reply.elapsedTime / 1000);
  });
}

/** Throws `unauthenticated` for other machines without the token, and for a proxy on this machine. */
function requireMetricsAccess(request: FastifyRequest, token: string | null): void {
  if (token !== null && hasToken(request, token)) return;
  if (isLocal(request)) return;
  throw new AppError('unauthenticated', 'metrics_access');
}

/** Headers that proxies add: the request comes from elsewhere although its connection does not. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

function isLocal({ raw }: FastifyRequest): boolean {
  const ip = raw.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const isLoopback = ip === '::1' || (isIP(ip) === 4 && ip.startsWith('127.'));
  return isLoopback && !PROXY_HEADERS.some((name) => name in raw.headers);
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
