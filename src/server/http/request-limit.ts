import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { consumeIpLimit } from '../rate-limit/rate-limiter.ts';
import { HEALTH_PATHS } from './health.ts';
import { isPageRoute } from './matched-route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Declared by the route in the contract. */
    countsItself?: boolean;
  }
}

/**
 * Limits the requests of one IP on a public instance, before anything else is checked. Pages, files, health checks
 * and routes with limits of their own are not counted; requests that match no route are, whatever their path.
 */
export function limitRequestsByIp(app: FastifyInstance, deps: Pick<Deps, 'db' | 'now' | 'config'>): void {
  if (!deps.config.publicInstance) return;
  app.addHook('onRequest', async (request) => {
    const { url = '', config } = request.routeOptions;
    if (config?.countsItself) return;
    if (!isPageRoute(request) && !HEALTH_PATHS.includes(url)) await consumeIpLimit(deps, request.ip);
  });
}
