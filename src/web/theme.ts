import type { Profile } from '#contract/account.ts';

/** Theme of the application. */
export type Theme = Profile['preferences']['theme'];

export const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

const YEAR_S = 365 * 24 * 3600;

/** Applied theme. */
export function getTheme(): Theme {
  const value = document.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === value) ?? 'light';
}

/** Applies a theme and stores it for the first paint of the next visit. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  savePreferenceCookie('theme', theme);
}

/** `Secure` attribute for cookies on https. */
export function secureAttribute(): string {
  return location.protocol === 'https:' ? '; Secure' : '';
}

/** Stores a preference in a cookie, which the server reads before the first paint. */
export function savePreferenceCookie(name: 'theme' | 'language' | 'sidebar', value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside https.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secureAttribute()}`;
}
