import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `isPageRoute`. */
    matchesPages: boolean;
  }
}

/** Pages and files: whatever no other route matches is looked for there. */
const PAGE_ROUTES = ['/', '/*'];

/** Notes which kind of route has matched, also for the handler of what is not found. */
export function recordMatchedRoute(app: FastifyInstance): void {
  app.decorateRequest('matchesPages', false);
  app.addHook('onRequest', async (request) => {
    request.matchesPages = PAGE_ROUTES.includes(request.routeOptions.url ?? '');
  });
}

/**
 * Whether a request asks for a page or a file. By the route that has matched, never by the text of the URL, which has
 * many spellings for one route.
 */
export function isPageRoute(request: FastifyRequest): boolean {
  return request.matchesPages;
}

/** The decoded path of a request for a page or a file. */
export function pagePath({ params }: FastifyRequest): string {
  return `/${(params as { '*'?: string } | undefined)?.['*'] ?? ''}`;
}
