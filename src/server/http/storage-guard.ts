import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { storageFull } from '../project-data/disk-space.ts';

/**
 * What goes on when the disk is full, by method and route: signing in and out, what an administrator does about it,
 * money that was paid, marking as read, and what stores nothing. Deleting makes room, but for files of a repository:
 * that is a commit.
 */
const ALLOWED = [
  /^POST \/auth\/(?!register$|me\/export$)/,
  /^\w+ \/(?:admin|notifications|payments)\//,
  /^POST \/(?:invitations\/look|ide\/projects\/:id\/debug\/ide|projects\/:id\/credential\/test)$/,
  /^DELETE \/(?!ide\/)/,
];

/** Refuses calls that store something while the disk is full, once the caller is known and before the body is read. */
export function refuseWritesWhenFull(app: FastifyInstance, { disk }: Pick<Deps, 'disk'>): void {
  app.addHook('preParsing', async ({ method, routeOptions: { url } }) => {
    if (disk.isFull && !isAllowed(method, url ?? '')) throw storageFull();
  });
}

function isAllowed(method: string, url: string): boolean {
  if (method === 'GET' || method === 'HEAD' || !url.startsWith(`${API_PREFIX}/`)) return true;
  const call = `${method} ${url.slice(API_PREFIX.length)}`;
  return ALLOWED.some((pattern) => pattern.test(call));
}
