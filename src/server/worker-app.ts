import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Deps } from './deps.ts';
import { sendError } from './http/error-handler.ts';
import { serveHealth } from './http/health.ts';
import { serveMetrics } from './telemetry/metrics-route.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/** Creates the server of a process that only runs jobs: health and metrics, under the rules of the complete one. */
export function createWorkerApp(deps: Deps, log: Logger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    bodyLimit: 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;
  app.setErrorHandler(sendError);
  serveHealth(app, deps);
  serveMetrics(app, deps);
  return app;
}
