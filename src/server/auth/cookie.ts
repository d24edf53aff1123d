import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import { deriveKey } from '#secrets/keys.ts';
import type { Deps } from '../deps.ts';
import type { Grant } from './sessions.ts';

const PATH = `${API_PREFIX}/auth`;

/** The refresh token as a cookie that scripts can't read and that travels to the auth calls alone. */
export interface RefreshCookie {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, grant: Grant): void;
  clear(reply: FastifyReply): void;
}

/** Cookies know no ports, so the name carries which installation it belongs to. */
export function createRefreshCookie({ keys, config }: Pick<Deps, 'keys' | 'config'>): RefreshCookie {
  const instance = deriveKey(keys, 'instance name').toString('hex').slice(0, 8);
  const name = `hindsight_refresh_${instance}`;
  const attributes = {
    path: PATH,
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl?.startsWith('https:') ?? false,
  } as const;
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
