import type { Profile } from '#contract/account.ts';

/** What the reader sees by: fixed, or as the device says. */
export type Theme = Profile['preferences']['theme'];

export const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

const YEAR_S = 365 * 24 * 3600;

/** The theme in force. */
export function getTheme(): Theme {
  const value = document.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === value) ?? 'light';
}

/** Applies a theme at once and keeps it for the next visit's first paint. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  savePreferenceCookie('theme', theme);
}

/** Behind https a cookie stays there. */
export function secureAttribute(): string {
  return location.protocol === 'https:' ? '; Secure' : '';
}

/** Keeps a choice in a cookie, where it can be read before the first paint. */
export function savePreferenceCookie(name: 'theme' | 'language', value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside https.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secureAttribute()}`;
}
