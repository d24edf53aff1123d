import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import { deriveKey } from '#secrets/keys.ts';
import type { Deps } from '../deps.ts';
import type { Grant } from './sessions.ts';

const PATH = `${API_PREFIX}/auth`;

type Needs = Pick<Deps, 'keys' | 'config'>;

/** The refresh token as a cookie that scripts can't read. */
export interface RefreshCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, grant: Grant): void;
  clear(reply: FastifyReply): void;
}

/** The refresh token's cookie, which no page of another site makes a browser send. */
export function createRefreshCookie(needs: Needs): RefreshCookie {
  const name = nameOf('refresh', needs);
  const attributes = { ...attributesOf(needs, PATH), sameSite: 'strict' } as const;
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
 * What a browser that signs in elsewhere has begun. It comes back by a link of the other service, so `Strict` would
 * keep the cookie at home.
 */
export function stateCookie(needs: Needs) {
  const name = nameOf('state', needs);
  const attributes = { ...attributesOf(needs, `${PATH}/social`), sameSite: 'lax' } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    write: (reply: FastifyReply, state: string, maxAge: number) =>
      reply.setCookie(name, state, { ...attributes, maxAge }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, attributes),
  };
}

/**
 * Behind https a browser takes a `__Host-` cookie from this host alone, so that no neighbour's page can plant one; it
 * asks that the cookie goes to every path. Without https there is no such promise, and the path is kept narrow.
 */
function attributesOf(needs: Needs, path: string) {
  const secure = isSecure(needs);
  return { httpOnly: true, secure, path: secure ? '/' : path };
}

/** Cookies know no ports, so their names carry which installation they belong to. */
function nameOf(what: string, needs: Needs): string {
  const instance = deriveKey(needs.keys, 'instance name').toString('hex').slice(0, 8);
  return `${isSecure(needs) ? '__Host-' : ''}hindsight_${what}_${instance}`;
}

function isSecure({ config }: Needs): boolean {
  return config.publicUrl?.startsWith('https:') ?? false;
}
