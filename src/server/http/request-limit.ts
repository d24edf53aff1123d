import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { consumeIpLimit } from '../rate-limit/rate-limiter.ts';
import { HEALTH_PATHS } from './health.ts';
import { isPageRoute } from './matched-route.ts';

/**
 * Limits the requests of one IP on a public instance, before anything else is checked. Pages, files and health checks
 * are not counted; requests that match no route are, whatever their path.
 */
export function limitRequestsByIp(app: FastifyInstance, deps: Pick<Deps, 'db' | 'now' | 'config'>): void {
  if (!deps.config.publicInstance) return;
  app.addHook('onRequest', async (request) => {
    const url = request.routeOptions.url ?? '';
    if (!isPageRoute(request) && !HEALTH_PATHS.includes(url)) await consumeIpLimit(deps, request.ip);
  });
}
