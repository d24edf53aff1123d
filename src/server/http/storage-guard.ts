import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { storageFull } from '../project-data/disk-space.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Declared by the route in the contract. */
    allowedWhenDiskFull?: boolean;
  }
}

/**
 * Refuses API calls that may store something while the disk is full, after the caller is identified and before the body is
 * read. GET is always served, other methods where their route is `allowedWhenDiskFull`.
 */
export function refuseWritesWhenFull(app: FastifyInstance, { disk }: Pick<Deps, 'disk'>): void {
  app.addHook('preParsing', async ({ method, routeOptions: { url = '', config } }) => {
    const isRead = method === 'GET' || method === 'HEAD' || !url.startsWith(`${API_PREFIX}/`);
    if (disk.isFull && !isRead && !config.allowedWhenDiskFull) throw storageFull();
  });
}
