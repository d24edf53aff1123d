import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `isPageRoute`. */
    matchesPages: boolean;
  }
}

/** Routes of pages and files, which match what no other route does. */
const PAGE_ROUTES = ['/', '/*'];

/** Records the kind of the matched route, also for the not-found handler. */
export function recordMatchedRoute(app: FastifyInstance): void {
  app.decorateRequest('matchesPages', false);
  app.addHook('onRequest', async (request) => {
    request.matchesPages = PAGE_ROUTES.includes(request.routeOptions.url ?? '');
  });
}

/** True when a request matched a page or a file. Based on the matched route, since a URL has many spellings. */
export function isPageRoute(request: FastifyRequest): boolean {
  return request.matchesPages;
}

/** Returns the decoded path of a request for a page or a file. */
export function pagePath({ params }: FastifyRequest): string {
  return `/${(params as { '*'?: string } | undefined)?.['*'] ?? ''}`;
}
