import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { Profile } from '#contract/account.ts';
import type { ApiInput } from '#contract/api.ts';
import { clearSessionAndRedirect, getAccessToken } from './access-token.ts';
import { api, refreshAccessToken } from './api.ts';
import { apiQuery } from './api-query.ts';
import { applyLanguage, useTranslation } from './i18n.ts';
import { accountKeys } from './query-keys.ts';
import { applyTheme } from './theme.ts';

const SILENT_REFRESH_MS = 25 * 60_000;

/** Options of the query of the signed-in user. */
export const currentUserQuery = { ...apiQuery('GET /auth/me'), staleTime: Number.POSITIVE_INFINITY };

/** Query of the signed-in user; disabled for visitors. */
export function useCurrentUser() {
  return useQuery({ ...currentUserQuery, enabled: getAccessToken() !== null });
}

/** Refreshes token and profile every 25 minutes while signed in. */
export function useSilentRefresh(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(async () => {
      const used = getAccessToken();
      if (used === null) return;
      // An unreachable server is retried at the next interval; an ended session has redirected already.
      await refreshAccessToken(used).catch(() => null);
      await client.invalidateQueries({ queryKey: accountKeys.me });
    }, SILENT_REFRESH_MS);
    return () => clearInterval(timer);
  }, [client]);
}

/** Applies theme and language of the profile, also on a new device. */
export function useApplyPreferences(user: Profile | null): void {
  const { i18n } = useTranslation();
  const theme = user?.preferences.theme;
  const language = user?.preferences.language;
  useEffect(() => {
    if (theme) applyTheme(theme);
  }, [theme]);
  useEffect(() => {
    if (language) void applyLanguage(i18n, language);
  }, [i18n, language]);
}

/**
 * Updates preferences optimistically and saves them with the account; a visitor's stay in the browser. Rolls back
 * and throws ApiError on failure.
 */
export function useUpdatePreferences(): (change: Partial<Profile['preferences']>) => Promise<void> {
  const client = useQueryClient();
  const { i18n } = useTranslation();
  return useCallback(
    async (change) => {
      const queryKey = accountKeys.me;
      const before = client.getQueryData(queryKey);
      if (!before) {
        if (change.theme) applyTheme(change.theme);
        if (change.language) await applyLanguage(i18n, change.language);
        return;
      }
      // The shell applies the profile's preferences, so updating the profile is enough.
      client.setQueryData(queryKey, { ...before, preferences: { ...before.preferences, ...change } });
      try {
        client.setQueryData(queryKey, await api('PUT /auth/me', { body: { preferences: change } }));
      } catch (error) {
        client.setQueryData(queryKey, before);
        throw error;
      }
    },
    [client, i18n],
  );
}

/** Saves profile changes and updates the cached profile. Throws ApiError. */
export function useUpdateProfile(): (body: ApiInput<'PUT /auth/me'>['body']) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (body) => {
      client.setQueryData(accountKeys.me, await api('PUT /auth/me', { body }));
    },
    [client],
  );
}

/** Signs out on the server, if reachable, and in every tab of this browser. */
export async function signOut(): Promise<void> {
  await api('POST /auth/logout').catch(() => null);
  clearSessionAndRedirect('/');
}
