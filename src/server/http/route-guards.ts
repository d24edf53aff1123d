import type { FastifyRequest } from 'fastify';
import type { FeatureName, Route, RouteRateLimit } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { authenticate, type Caller } from '../identity/access.ts';
import { requireFeature } from '../identity/feature-switches.ts';
import { secondFactorRequired } from '../identity/sign-in-policy.ts';
import { consume, consumeUserLimit, ipKey } from '../rate-limit/rate-limiter.ts';
import { requireSameOrigin } from './security.ts';

/** Checks that routes declare in the contract, over the dependencies of the app. */
export interface RouteGuards {
  /**
   * Identifies the caller and counts the call. Throws `unauthenticated`, `deactivated`, `rate_limited`, or `conflict` while the
   * caller has to set up a second factor first, unless the route is for that. With `projectId`, reads that project with the session.
   */
  authenticate(
    request: FastifyRequest,
    route?: Pick<Route, 'allowedWithoutSecondFactor'>,
    projectId?: string,
  ): Promise<Caller>;
  /** Throws `unavailable` while an administrator has this feature turned off. */
  requireFeature(name: FeatureName): Promise<void>;
  /** Throws `bad_request` for a call from a page of another origin. */
  requireSameOrigin(request: FastifyRequest): void;
  /** Consumes the limits that a route declares for this stage. Throws `rate_limited`. */
  consumeRateLimits(
    route: Pick<Route, 'rateLimits'>,
    request: FastifyRequest,
    stage: 'before body' | 'before handler',
  ): Promise<void>;
}

/** Creates the guards of one app. */
export function createRouteGuards(deps: Deps): RouteGuards {
  const { config } = deps;
  const consumeLimit = async ({ bucket, limit, per }: RouteRateLimit, request: FastifyRequest) => {
    const client = per === 'ip' ? ipKey(request.ip) : request.caller!.userId;
    await consume(deps, `${bucket}:${client}`, config.limits[limit]);
  };
  return {
    async authenticate(request, route, projectId) {
      const caller = await authenticate(request, deps, projectId);
      if (caller.lacksSecondFactor && !route?.allowedWithoutSecondFactor) throw secondFactorRequired();
      await consumeUserLimit(deps, caller.userId);
      return caller;
    },
    requireFeature: (name) => requireFeature(deps, name),
    requireSameOrigin: (request) => requireSameOrigin(request, config),
    async consumeRateLimits({ rateLimits = [] }, request, stage) {
      for (const limit of rateLimits) {
        if (limit.publicOnly && !config.publicInstance) continue;
        if (limit.ifQuery !== undefined && !Object.hasOwn(request.query as object, limit.ifQuery)) continue;
        if ((stage === 'before body') === (limit.beforeBody ?? false)) await consumeLimit(limit, request);
      }
    },
  };
}
