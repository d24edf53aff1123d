import { secureAttribute } from './theme.ts';

const KEY = 'access_token';
/** Pages that the user has visited; removed at sign-out. */
export const RECENT_PAGES_KEY = 'recent_pages';

/**
 * Set while a user is signed in, so that the server can choose between the landing page and the application for
 * `/`. Grants nothing: a false value shows the wrong page and no data.
 */
const SIGNED_IN_COOKIE = 'signed_in';
const YEAR_S = 365 * 24 * 3600;

/** The access token of the signed-in user, or null for a visitor. */
export function getAccessToken(): string | null {
  return localStorage.getItem(KEY);
}

/** Saves an access token for every tab of this browser. */
export function saveAccessToken(value: string): void {
  localStorage.setItem(KEY, value);
  syncSignedInCookie(true);
}

/** Sets the `signed_in` cookie from the presence of an access token. */
export function syncSignedInCookie(signedIn = getAccessToken() !== null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside https.
  document.cookie = `${SIGNED_IN_COOKIE}=1; Path=/; Max-Age=${signedIn ? YEAR_S : 0}; SameSite=Lax${secureAttribute()}`;
}

/**
 * Removes the access token and loads `to` as a new document, which drops all account data from memory. Other tabs
 * follow by the `storage` event.
 */
export function clearSessionAndRedirect(to: string): void {
  // Only the first of several failing calls redirects.
  if (getAccessToken() === null) return;
  localStorage.removeItem(KEY);
  localStorage.removeItem(RECENT_PAGES_KEY);
  syncSignedInCookie(false);
  location.assign(to);
}

/** Path of the sign-in page, with the current page as `next`. */
export function loginPath(): string {
  const here = location.pathname + location.search + location.hash;
  return here === '/' ? '/login' : `/login?next=${encodeURIComponent(here)}`;
}

/** Path to open after sign-in: always on this origin, `/` for anything else. */
export function safeNextPath(next: string | null): string {
  if (!next?.startsWith('/')) return '/';
  const { origin, pathname, search, hash } = new URL(next, 'http://here');
  // `/.//host` keeps this origin and still becomes `//host`, which is another server.
  if (origin !== 'http://here' || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}

/** Redirects this tab when another one signs out. Returns a function that removes the listener. */
export function watchSignOut(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === KEY && event.newValue === null) location.assign('/');
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}
