import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import { deriveKey } from '#secrets/keys.ts';
import type { Deps } from '../deps.ts';
import type { Grant } from './sessions.ts';

const PATH = `${API_PREFIX}/auth`;

type Needs = Pick<Deps, 'keys' | 'config'>;

/** The refresh token as a cookie that scripts can't read and that travels to the auth calls alone. */
export interface RefreshCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, grant: Grant): void;
  clear(reply: FastifyReply): void;
}

/** The refresh token's cookie, which no page of another site makes a browser send. */
export function createRefreshCookie(needs: Needs): RefreshCookie {
  const name = `hindsight_refresh_${instanceName(needs)}`;
  const attributes = { ...attributesOf(needs), path: PATH, sameSite: 'strict' } as const;
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
  const name = `hindsight_state_${instanceName(needs)}`;
  const attributes = { ...attributesOf(needs), path: `${PATH}/social`, sameSite: 'lax' } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    write: (reply: FastifyReply, state: string, maxAge: number) =>
      reply.setCookie(name, state, { ...attributes, maxAge }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, attributes),
  };
}

function attributesOf({ config }: Needs) {
  return { httpOnly: true, secure: config.publicUrl?.startsWith('https:') ?? false };
}

/** Cookies know no ports, so their names carry which installation they belong to. */
function instanceName({ keys }: Needs): string {
  return deriveKey(keys, 'instance name').toString('hex').slice(0, 8);
}
