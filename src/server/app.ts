import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Deps } from './deps.ts';
import { registerFeatures } from './features.ts';
import { limitLoad } from './http/admission.ts';
import { requireAllowedHost } from './http/allowed-hosts.ts';
import { serveDocs } from './http/api-docs.ts';
import { limitBodies } from './http/body-budget.ts';
import { compressReplies } from './http/compress-replies.ts';
import { limitConnections } from './http/connection-limit.ts';
import { sendError } from './http/error-handler.ts';
import { serveHealth } from './http/health.ts';
import { logRequests } from './http/log.ts';
import { recordMatchedRoute } from './http/matched-route.ts';
import { limitRequestsByIp } from './http/request-limit.ts';
import { createRouteGuards } from './http/route-guards.ts';
import { setSecurityHeaders } from './http/security.ts';
import { registerJsonParser } from './http/serve.ts';
import { rewriteSpecPath } from './http/spec-paths.ts';
import { refuseWritesWhenFull } from './http/storage-guard.ts';
import { servePages, WEB_FOLDER } from './http/web-pages.ts';
import { attachWebSocket, isWebSocketHandshake } from './http/websocket.ts';
import { createPasswords } from './identity/passwords.ts';
import { buildCountUpdate } from './notifications/queries.ts';
import { presentProject } from './projects/queries.ts';
import { sweepExpiredLimits } from './rate-limit/rate-limiter.ts';
import { measureRequests, serveMetrics } from './telemetry/metrics-route.ts';
import { traceRequests } from './telemetry/open-telemetry.ts';

const BODY_LIMIT = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

interface AppOptions {
  log: Logger;
  /** Folder of the web build. */
  web?: string;
  /** Time limit for receiving a request. */
  requestTimeoutMs?: number;
}

/** Creates the server over its dependencies; it listens after `app.listen`. */
export async function createApp(
  deps: Deps,
  { log, web = WEB_FOLDER, requestTimeoutMs = REQUEST_TIMEOUT_MS }: AppOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: rewriteSpecPath,
    frameworkErrors: sendError,
    trustProxy: deps.config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    // Node checks for late requests at this interval, and swaps the two limits when that for headers is longer.
    http: {
      connectionsCheckingInterval: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      shouldUpgradeCallback: isWebSocketHandshake,
    },
    connectionTimeout: 65_000,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;

  app.decorate('guards', createRouteGuards(deps));
  app.decorate('passwords', createPasswords());
  app.decorateRequest('caller', null);
  app.setErrorHandler(sendError);
  limitConnections(app, deps.config);
  recordMatchedRoute(app);
  logRequests(app);
  measureRequests(app, deps);
  traceRequests(app, deps.telemetry);
  requireAllowedHost(app, deps.config);
  setSecurityHeaders(app, deps.config);
  limitLoad(app, deps.config);
  limitRequestsByIp(app, deps);
  compressReplies(app);
  refuseWritesWhenFull(app, deps);
  limitBodies(app, deps.config);
  registerJsonParser(app);
  await app.register(cookie);
  serveHealth(app, deps);
  serveMetrics(app, deps);
  registerFeatures(app, deps);
  attachWebSocket(app, deps, {
    project: presentProject,
    notifications: (userId, newId) => buildCountUpdate(deps.db, userId, newId),
  });
  sweepExpiredLimits(app, deps);
  await serveDocs(app);
  await servePages(app, deps, web);
  return app;
}
