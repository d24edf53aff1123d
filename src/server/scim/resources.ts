import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkJsonBounds } from '#contract/json-bounds.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serveScimGroups } from './group-routes.ts';
import { presentList } from './paging.ts';
import { resourceNotFound, ScimError, sendScimError } from './scim-error.ts';
import type { ScimContext } from './scim-request.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './service-description.ts';
import { authenticateScim } from './tokens.ts';
import { serveScimUsers } from './user-routes.ts';

/** Path of the service, as directories expect it. */
export const SCIM_PATH = '/scim/v2';

const BODY_LIMIT = 1024 * 1024;

/**
 * Serves SCIM 2.0 (RFC 7644). Its routes are not part of the contract: their paths, errors and media type are those of the
 * standard, and no client of ours calls them.
 */
export function serveScim(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('scimClient', null);
  app.register(
    async (scope) => {
      scope.setErrorHandler(sendScimError);
      acceptScimJson(scope);
      scope.addHook('onRequest', async (request, reply) => {
        request.scimClient = await authenticateScim(deps, request);
        reply.type('application/scim+json; charset=utf-8');
      });
      const context = { scope, deps, baseUrl: () => resolvePublicUrl(app, deps.config) + SCIM_PATH };
      serveDiscovery(context);
      serveScimUsers(context);
      serveScimGroups(context);
      scope.all('/*', async () => {
        throw resourceNotFound();
      });
    },
    { prefix: SCIM_PATH, bodyLimit: BODY_LIMIT },
  );
}

function serveDiscovery({ scope, baseUrl }: ScimContext): void {
  const page = { startIndex: 1, count: 100 };
  scope.get('/ServiceProviderConfig', async () => serviceProviderConfig(baseUrl()));
  scope.get('/ResourceTypes', async () => {
    const types = resourceTypes(baseUrl());
    return presentList(types, types.length, page);
  });
  scope.get('/ResourceTypes/:id', async (request) => findById(resourceTypes(baseUrl()), request));
  scope.get('/Schemas', async () => {
    const all = schemas(baseUrl());
    return presentList(all, all.length, page);
  });
  scope.get('/Schemas/:id', async (request) => findById(schemas(baseUrl()), request));
}

function findById<T extends { id: string }>(list: T[], request: FastifyRequest): T {
  const { id } = request.params as { id: string };
  const found = list.find((item) => item.id === id);
  if (!found) throw resourceNotFound();
  return found;
}

/** Accepts the media type of SCIM beside plain JSON. */
function acceptScimJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  const types = ['application/scim+json', 'application/json'];
  scope.addContentTypeParser(types, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      checkJsonBounds(body as string);
    } catch {
      return done(new ScimError(400, 'The body is too complex.', 'invalidSyntax'));
    }
    void parse(request, body as string, done);
  });
}
