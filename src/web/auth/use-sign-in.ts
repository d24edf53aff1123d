import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { SignedIn } from '#contract/auth.ts';
import { accessToken, keepAccessToken, nextAddress } from '../access-token.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';

/** Where to go after signing in, whether somebody is signed in already, and how to begin being so. */
export function useArrival() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const next = query.get('next');
  const address = nextAddress(next);
  return {
    address,
    next,
    arrived: accessToken() !== null,
    /** The same question, asked by the other of the two pages. */
    suffix: next === null ? '' : `?next=${encodeURIComponent(next)}`,
    async arrive(reply: Pick<SignedIn, 'access_token' | 'user'>) {
      keepAccessToken(reply.access_token);
      client.setQueryData(read('GET /auth/me').queryKey, reply.user);
      await navigate(address, { replace: true });
    },
    /** Goes on with the cookie that coming back from another service has set. Throws ApiError. */
    arriveByCookie: useCallback(async () => {
      keepAccessToken(
        (await api('POST /auth/refresh', { body: undefined }, { checksCredentials: true })).access_token,
      );
      await client.invalidateQueries({ queryKey: read('GET /auth/me').queryKey });
      await navigate(address, { replace: true });
    }, [client, navigate, address]),
  };
}
