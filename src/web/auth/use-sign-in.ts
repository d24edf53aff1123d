import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { SignedIn } from '#contract/auth.ts';
import { getAccessToken, safeNextPath, saveAccessToken } from '../access-token.ts';
import { api } from '../api.ts';
import { accountKeys } from '../query-keys.ts';

/** Completes a sign-in and opens the `next` page. */
export function useSignIn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const next = query.get('next');
  const nextPath = safeNextPath(next);
  return {
    nextPath,
    next,
    isSignedIn: getAccessToken() !== null,
    /** The `next` parameter for the link between the sign-in and sign-up pages. */
    nextQuery: next === null ? '' : `?next=${encodeURIComponent(next)}`,
    async completeSignIn(reply: Pick<SignedIn, 'access_token' | 'user'>) {
      saveAccessToken(reply.access_token);
      client.setQueryData(accountKeys.me, reply.user);
      await navigate(nextPath, { replace: true });
    },
    /** Completes an OAuth sign-in with the refresh cookie. Throws ApiError. */
    completeSignInByCookie: useCallback(async () => {
      saveAccessToken(
        (await api('POST /auth/refresh', { body: undefined }, { checksCredentials: true })).access_token,
      );
      await client.invalidateQueries({ queryKey: accountKeys.me });
      await navigate(nextPath, { replace: true });
    }, [client, navigate, nextPath]),
  };
}
