import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import { deriveKey } from '#secrets/keys.ts';
import type { Deps } from '../deps.ts';
import type { SessionTokens } from './session-tokens.ts';

const COOKIE_PATH = `${API_PREFIX}/auth`;

type CookieDeps = Pick<Deps, 'keys' | 'config'>;

/** HttpOnly cookie that holds the refresh token. */
export interface RefreshCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, grant: SessionTokens): void;
  clear(reply: FastifyReply): void;
}

/** Creates the refresh cookie. `SameSite=Strict` keeps it out of cross-site requests. */
export function createRefreshCookie(deps: CookieDeps): RefreshCookie {
  const name = cookieName('refresh', deps);
  const attributes = { ...cookieAttributes(deps, COOKIE_PATH), sameSite: 'strict' } as const;
  return {
    read: (request) => request.cookies[name],
    write(reply, grant) {
      const expires = grant.remember ? grant.expiresAt : undefined;
      reply.setCookie(name, grant.refreshToken, { ...attributes, expires });
    },
    clear(reply) {
      reply.clearCookie(name, attributes);
    },
  };
}

/**
 * Cookie for the OAuth `state`. The callback is a cross-site navigation, which `SameSite=Strict` would strip of the
 * cookie.
 */
export function createStateCookie(deps: CookieDeps) {
  const name = cookieName('state', deps);
  const attributes = { ...cookieAttributes(deps, `${COOKIE_PATH}/social`), sameSite: 'lax' } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    write: (reply: FastifyReply, state: string, maxAge: number) =>
      reply.setCookie(name, state, { ...attributes, maxAge }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, attributes),
  };
}

/**
 * Over HTTPS the `__Host-` prefix prevents other subdomains from setting the cookie, and requires the path `/`.
 * Over HTTP there is no prefix, and the path stays narrow.
 */
function cookieAttributes(deps: CookieDeps, path: string) {
  const secure = isSecure(deps);
  return { httpOnly: true, secure, path: secure ? '/' : path };
}

/** Cookies are not isolated by port, so the name contains an installation id. */
function cookieName(suffix: string, deps: CookieDeps): string {
  const instance = deriveKey(deps.keys, 'instance name').toString('hex').slice(0, 8);
  return `${isSecure(deps) ? '__Host-' : ''}hindsight_${suffix}_${instance}`;
}

function isSecure({ config }: CookieDeps): boolean {
  return config.publicUrl?.startsWith('https:') ?? false;
}
