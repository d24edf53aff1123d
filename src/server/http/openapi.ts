import { z } from 'zod';
import { apiRoutes } from '#contract/api.ts';
import { errorReply } from '#contract/error-reply.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { API_PREFIX, type Route } from '#contract/route.ts';

type Json = Record<string, unknown>;

/** Builds the OpenAPI 3.1 description of every route of the contract. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [feature, routes] of Object.entries(apiRoutes)) {
    for (const [name, route] of Object.entries<Route>(routes)) {
      const path = API_PREFIX + openApiPath(route.path);
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(feature, name, route) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hindsight',
      version: '1',
      description: 'Why is this broken, and why is this code the way it is?',
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'hs_…' },
      },
      schemas: { Error: schema(errorReply, 'output') },
    },
    paths,
  };
}

/** Converts `/projects/:id/files/*` to `/projects/{id}/files/{*}`. */
function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{*}');
}

function operation(feature: string, name: string, route: Route): Json {
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: route.summary,
    description: [route.description, route.feature && SWITCHED_OFF].filter(Boolean).join(' ') || undefined,
    security: security(route),
    ...policyExtensions(route),
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    requestBody: route.body && {
      required: !route.body.safeParse(undefined).success,
      content: { [CONTENT_TYPE[route.kind]]: { schema: schema(route.body, 'input') } },
    },
    responses: {
      [route.status ?? 200]: {
        description: 'Done',
        content: { 'application/json': { schema: schema(route.reply, 'output') } },
      },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** An API key is an alternative to the access token where the route accepts one of its scope. */
function security({ access, apiKey }: Route): Json[] {
  if (access === 'visitor') return [];
  return apiKey === 'closed' ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [apiKey] }];
}

/** The policy fields of a route, with the default numbers of its rate limits. */
function policyExtensions(route: Route): Json {
  const { apiKey, projectFrom, sameOrigin, rateLimits, allowedWhenDiskFull } = route;
  return {
    'x-api-key-scope': apiKey,
    'x-project-from': projectFrom,
    'x-same-origin': sameOrigin,
    'x-rate-limits': rateLimits?.map(({ limit, per, publicOnly, ifQuery }) => ({
      ...DEFAULT_RATE_LIMITS[limit],
      setting: limit,
      per,
      public_only: publicOnly,
      if_query: ifQuery,
    })),
    'x-allowed-when-disk-full': allowedWhenDiskFull,
  };
}

const SWITCHED_OFF = 'While an administrator has this switched off: 503 with the reason `feature_disabled`.';

const CONTENT_TYPE: Record<Route['kind'], string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  raw: 'application/octet-stream',
  stream: 'application/json',
  file: 'application/json',
};

function parameters(part: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!part) return [];
  const { properties = {}, required = [] } = schema(part, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function schema(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return rest;
}
