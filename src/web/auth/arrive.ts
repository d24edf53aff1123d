import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { accessToken, keepAccessToken, nextAddress } from '../access-token.ts';
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
    arrived: accessToken() !== null,
    /** The same question, asked by the other of the two pages. */
    suffix: next === null ? '' : `?next=${encodeURIComponent(next)}`,
    async arrive(reply: ApiReply<'POST /auth/login'>) {
      keepAccessToken(reply.access_token);
      client.setQueryData(read('GET /auth/me').queryKey, reply.user);
      await navigate(address, { replace: true });
    },
  };
}
