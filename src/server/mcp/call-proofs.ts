import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { McpProofs } from '#assistant/mcp-proofs.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import { AppError, type ErrorCode, isErrorKey } from '#contract/errors.ts';
import { proofRoutes } from '#contract/proofs.ts';
import { API_PREFIX, type Route } from '#contract/route.ts';

/** Proofs by the routes of the API, with the credentials of a request: scopes, limits and the audit log apply as there. */
export function callProofs(app: FastifyInstance, request: FastifyRequest): McpProofs {
  const call = async (route: Route, params: Record<string, string>, payload?: object) => {
    const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const options: InjectOptions = {
      method: route.method,
      url: API_PREFIX + path,
      headers: forwardedHeaders(request),
      remoteAddress: request.ip,
      ...(payload && { payload }),
    };
    const reply = await app.inject(options);
    if (reply.statusCode >= 400) throw toError(reply.json<ErrorReply>());
    return reply.json();
  };
  return {
    plan: async (id) => proofRoutes.plan.reply.parse(await call(proofRoutes.plan, { id })),
    start: async (id, body) => proofRoutes.start.reply.parse(await call(proofRoutes.start, { id }, body)),
    get: async (id) => proofRoutes.get.reply.parse(await call(proofRoutes.get, { id })),
    cancel: async (id) => {
      await call(proofRoutes.cancel, { id });
    },
  };
}

/** Headers that decide who calls, from where and in which language. */
function forwardedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const names = ['authorization', 'host', 'user-agent', 'accept-language'] as const;
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
}

/** An error of the API as a result that the model can act on. */
function toError({ error }: ErrorReply): AppError {
  const { code, message_key: key, params, reason } = error;
  if (key === undefined || !isErrorKey(key)) throw new Error(error.message);
  return new AppError(code as ErrorCode, key, { params, ...(reason && { reason }) });
}
