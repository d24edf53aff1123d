import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import { authenticate } from './access.ts';
import { servedAddress } from './addresses.ts';
import { limitBodies } from './body-budget.ts';
import { limitConnections } from './connection-limit.ts';
import type { Deps } from './deps.ts';
import { serveDocs } from './docs.ts';
import { sendError } from './errors.ts';
import { registerFeatures } from './features.ts';
import { serveHealth } from './health.ts';
import { requireKnownHost } from './hosts.ts';
import { readJsonBodies } from './http.ts';
import { keepLimitsSwept, limitCaller, limitCalls } from './limits.ts';
import { logRequests } from './log.ts';
import { noteMatchedRoute } from './matched-route.ts';
import { notificationUpdate } from './notifications/queries.ts';
import { servePages, WEB_FOLDER } from './pages.ts';
import { createPasswords } from './passwords.ts';
import { presentProject } from './projects/queries.ts';
import { secure } from './security.ts';
import { attachSocket, isHandshake } from './socket.ts';
import { refuseGrowthWhenFull } from './storage-guard.ts';
import { requireSwitch } from './switches.ts';

const BODY_LIMIT = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export interface AppOptions {
  log: Logger;
  /** The folder of the built web app. */
  web?: string;
  /** For a request to arrive whole. */
  requestTimeoutMs?: number;
}

/** The whole server over its dependencies; nothing listens before `app.listen`. */
export async function createApp(
  deps: Deps,
  { log, web = WEB_FOLDER, requestTimeoutMs = REQUEST_TIMEOUT_MS }: AppOptions,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: servedAddress,
    frameworkErrors: sendError,
    trustProxy: deps.config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    // Node looks for late requests at this interval, and swaps the two limits where that for headers is the longer.
    http: {
      connectionsCheckingInterval: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      shouldUpgradeCallback: isHandshake,
    },
    connectionTimeout: 65_000,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;

  app.decorate('authenticate', async (request) => {
    const caller = await authenticate(request, deps);
    await limitCaller(deps, request, caller.userId);
    return caller;
  });
  app.decorate('requireSwitch', (name) => requireSwitch(deps, name));
  app.decorate('passwords', createPasswords());
  app.decorateRequest('caller', null);
  app.setErrorHandler(sendError);
  limitConnections(app, deps.config);
  noteMatchedRoute(app);
  logRequests(app);
  requireKnownHost(app, deps.config);
  secure(app, deps.config);
  limitCalls(app, deps);
  refuseGrowthWhenFull(app, deps);
  limitBodies(app, deps.config);
  readJsonBodies(app);
  await app.register(cookie);
  serveHealth(app, deps);
  registerFeatures(app, deps);
  attachSocket(app, deps, {
    project: presentProject,
    notifications: (userId, newId) => notificationUpdate(deps.db, userId, newId),
  });
  keepLimitsSwept(app, deps);
  await serveDocs(app);
  await servePages(app, deps, web);
  return app;
}
