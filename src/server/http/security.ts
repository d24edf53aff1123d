import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import type { ServerConfig } from '../deps.ts';
import { checkoutHosts, isCheckoutPage, type ThirdPartyHosts } from './checkout-policy.ts';
import { isPageRoute, pagePath } from './matched-route.ts';

const BASE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
  // The same URL may serve a page or JSON.
  vary: 'Accept',
};

const API_CSP = "default-src 'none'; sandbox";

/** Frame in which diagrams are drawn; a page may show no other frame. */
export const DIAGRAM_PATH = '/diagram.html';

/**
 * CSP of that frame: an opaque origin without connections. Its one script, by its hash, runs the library that the page hands
 * over.
 */
export const DIAGRAM_CSP = [
  "default-src 'none'",
  "script-src 'sha256-4xdrx3Lw1qmYwtcbUvy+PWnAAubCr89wgc/WK9bDxbw=' blob:",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

/**
 * Builds the CSP of pages: no inline script, and no origin but this one and, on its own page, the checkout's. Access tokens
 * are in local storage, as the specification requires, so that an injected script could take over the account.
 */
function pageCsp(host: string, foreign: ThirdPartyHosts): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...foreign.script].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${["'self'", `ws://${host}`, `wss://${host}`, ...foreign.connect].join(' ')}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    `frame-src ${foreign.frame.join(' ') || "'self'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sets security headers on every reply, and answers preflight requests of the allowed origins. */
export function setSecurityHeaders(
  app: FastifyInstance,
  config: Pick<ServerConfig, 'publicUrl' | 'corsOrigins' | 'razorpay'>,
): void {
  const behindTls = config.publicUrl?.startsWith('https:');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(BASE_HEADERS);
    if (behindTls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (isPageRoute(request)) {
      const path = pagePath(request);
      const thirdParty = checkoutHosts(config.razorpay, path);
      reply.header('content-security-policy', pageCsp(cspHost(request, config), thirdParty));
      if (path === DIAGRAM_PATH) reply.header('content-security-policy', DIAGRAM_CSP);
      // Banks open windows that post messages back.
      if (isCheckoutPage(path)) reply.header('cross-origin-opener-policy', 'same-origin-allow-popups');
    } else reply.headers({ 'cache-control': 'no-store', 'content-security-policy': API_CSP });

    const { origin } = request.headers;
    if (!origin || !config.corsOrigins.includes(origin)) return;
    reply.headers({
      vary: 'Accept, Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.method !== 'OPTIONS') return;
    reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
    });
    return reply.status(204).send();
  });
}

/** Throws `bad_request` for a request from a page of another origin. */
export function requireSameOrigin(
  request: Pick<FastifyRequest, 'headers' | 'host'>,
  config: Pick<ServerConfig, 'publicUrl' | 'corsOrigins'>,
): void {
  if (!isAllowedOrigin(request, config)) {
    throw new AppError('bad_request', 'cross_site_request', { reason: 'origin_not_allowed' });
  }
}

/**
 * True when a request comes from a page of this server, from an allowed origin, or from no page at all, by its `Origin`
 * header or, without one, its `Sec-Fetch-Site` header.
 */
function isAllowedOrigin(
  request: Pick<FastifyRequest, 'headers' | 'host'>,
  config: Pick<ServerConfig, 'publicUrl' | 'corsOrigins'>,
): boolean {
  const { origin } = request.headers;
  if (origin === undefined) {
    return ['same-origin', 'none', undefined].includes(
      request.headers['sec-fetch-site'] as string | undefined,
    );
  }
  if (origin === config.publicUrl || config.corsOrigins.includes(origin)) return true;
  const originUrl = URL.parse(origin);
  // Both are parsed alike, so that a default port may be given explicitly.
  return originUrl !== null && URL.parse(`${originUrl.protocol}//${request.host}`)?.host === originUrl.host;
}

/** Returns the host for the CSP; the Host header has been checked by then (see `allowed-hosts.ts`). */
function cspHost(request: FastifyRequest, config: Pick<ServerConfig, 'publicUrl'>): string {
  return config.publicUrl ? new URL(config.publicUrl).host : request.host;
}
