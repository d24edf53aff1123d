import { Readable } from 'node:stream';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { AppError, type ErrorMessage, type FieldErrors } from '#contract/errors.ts';
import { toFieldMessage } from '#contract/field-message.ts';
import { checkJsonBounds } from '#contract/json-bounds.ts';
import { API_PREFIX, type Route, type RouteData, type RouteResult } from '#contract/route.ts';
import { type Caller, unauthenticated } from '../identity/access.ts';
import { allowsApiKey, requireApiKeyScope } from '../identity/api-key-scope.ts';
import type { RouteGuards } from './route-guards.ts';
import { SerializedReply, serializeReply } from './serialize-reply.ts';

declare module 'fastify' {
  interface FastifyInstance {
    guards: RouteGuards;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Input of a handler: the validated parts of the request, never merged, and the caller. */
export type RequestContext<R extends Route> = RouteData<R> & {
  caller: R['access'] extends 'visitor' ? null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
};

type HandlerResult<R extends Route> = R['kind'] extends 'stream' | 'file'
  ? Readable | Buffer
  : RouteResult<R> | SerializedReply<RouteResult<R> & object> | Readable;

/** Hooks of a route before its handler. */
export interface ServeOptions {
  /** Runs before the body is read, after authorization and validation of `request.params`. */
  onRequest?(request: FastifyRequest): Promise<void>;
  /** Reads a `raw` body as a stream instead of buffering it; enforces the route's limit itself. */
  readBody?(request: FastifyRequest, body: Readable): Promise<unknown>;
  /** Reads the project of `query.project_id` with the session, for a handler that calls `readAccess`. */
  readsProject?: boolean;
}

/** Body limit for visitors, who send sign-in and sign-up forms only. */
const VISITOR_BODY_LIMIT_BYTES = 64 * 1024;

/**
 * Serves one route of the contract: authorizes before the body is read, validates input by the route's schemas (no coercion,
 * unknown keys dropped), and strips fields from the reply that the contract does not declare. A `stream` or `file` handler
 * returns bytes and sets their headers; any other may return a stream of events (see `sse.ts`).
 */
export function serve<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: (call: RequestContext<R>) => Promise<HandlerResult<R>>,
  { onRequest, readBody, readsProject = false }: ServeOptions = {},
): void {
  const sendsBytes = route.kind === 'stream' || route.kind === 'file';
  const options: RouteOptions = {
    method: route.method,
    url: API_PREFIX + route.path,
    bodyLimit: bodyLimitOf(route),
    config: {
      allowedWhenDiskFull: route.allowedWhenDiskFull ?? false,
      countsItself: route.countsItself ?? false,
    },
    onRequest: async (request) => {
      await authorize(app, route, request, readsProject ? projectIdOf(request) : undefined);
      if (route.feature) await app.guards.requireFeature(route.feature);
      if (!onRequest) return;
      validateInput(route, request, ['params']);
      await onRequest(request);
    },
    handler: async (request, reply) => {
      const call = {
        ...validateInput(route, request),
        caller: request.caller,
        request,
        reply,
      } as RequestContext<R>;
      if (route.sameOrigin) app.guards.requireSameOrigin(request);
      await app.guards.consumeRateLimits(route, request, 'before handler');
      const result = await handler(call);
      reply.status(route.status ?? 200);
      return sendsBytes || result instanceof Readable ? result : serializeJson(reply, route, result);
    },
  };
  if (route.kind === 'form') {
    app.register(async (scope) => {
      await scope.register(formbody);
      scope.route(options);
    });
  } else if (route.kind === 'raw') {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      if (readBody) scope.addContentTypeParser('*', readBody as never);
      else scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      scope.route(options);
    });
  } else {
    app.route(options);
  }
}

/** Serializes before sending, so that the size is known in time for an error. */
function serializeJson(reply: FastifyReply, route: Route, result: unknown): string {
  reply.type('application/json; charset=utf-8');
  const checked = result instanceof SerializedReply ? result : route.reply.parse(result);
  return serializeReply(checked, route.maxReplyBytes);
}

/** Returns a signal that aborts when the client disconnects before the reply is complete. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  // The client may have disconnected during authentication.
  if (reply.raw.destroyed) disconnected.abort();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) disconnected.abort();
  });
  return disconnected.signal;
}

/**
 * Registers JSON as the only body type. An empty JSON body counts as none, since many clients set the header on every call;
 * prototype keys and bodies that expand when parsed are refused.
 */
export function registerJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    checkJsonBounds(body as string);
    void parse(request, body as string, done);
  });
}

function bodyLimitOf({ access, bodyLimit }: Route): number | undefined {
  return bodyLimit ?? (access === 'visitor' ? VISITOR_BODY_LIMIT_BYTES : undefined);
}

/** Sets the caller of a request. Throws where the route is not for this caller. */
async function authorize(
  app: FastifyInstance,
  route: Route,
  request: FastifyRequest,
  projectId?: string,
): Promise<void> {
  if (route.access !== 'visitor') request.caller = await app.guards.authenticate(request, route, projectId);
  await app.guards.consumeRateLimits(route, request, 'before body');
  const { caller } = request;
  if (caller?.key) {
    if (!allowsApiKey(route)) throw unauthenticated();
    requireApiKeyScope(caller.key, route);
  }
  if (route.access === 'admin' && caller?.role !== 'admin') throw new AppError('not_found', 'page_not_found');
}

/** The project that a request names, before its input is validated: undefined for anything that is no id of ours. */
function projectIdOf({ query }: FastifyRequest): string | undefined {
  const { project_id: value } = query as { project_id?: unknown };
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

const INPUT_PARTS = ['params', 'query', 'body'] as const;

function validateInput(
  route: Route,
  request: FastifyRequest,
  parts: readonly (typeof INPUT_PARTS)[number][] = INPUT_PARTS,
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const fields: Record<string, ErrorMessage> = {};
  for (const part of parts) {
    const schema = route[part];
    if (!schema) continue;
    const parsed = schema.safeParse(request[part]);
    if (parsed.success) data[part] = parsed.data;
    else Object.assign(fields, fieldErrors(part, parsed.error));
    if (parsed.success && hasUnstorableText(parsed.data)) fields[part] = { key: 'unstorable_characters' };
  }
  if (Object.keys(fields).length > 0) {
    throw new AppError('invalid_input', 'validation_failed', { fields });
  }
  return data;
}

function fieldErrors(part: string, error: z.ZodError): FieldErrors {
  const fields: Record<string, ErrorMessage> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || part] ??= toFieldMessage(issue);
  return fields;
}

/** PostgreSQL stores neither U+0000 (error 22021) nor, in jsonb, half of a surrogate pair (22P02). */
function hasUnstorableText(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return true;
    if (Buffer.isBuffer(next)) continue;
    if (typeof next === 'object' && next !== null) pending.push(...Object.keys(next), ...Object.values(next));
  }
  return false;
}
