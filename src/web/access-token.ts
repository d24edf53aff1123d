import { secureAttribute } from './theme.ts';

const KEY = 'access_token';

/**
 * A cookie that says only that somebody is signed in here. The server can't see local storage, and must know whether
 * `/` is the landing page or the application. It grants nothing: a false one shows the wrong page and no data.
 */
const SIGNED_IN_COOKIE = 'signed_in';
const YEAR_S = 365 * 24 * 3600;

/** The access token of the signed-in user, or null for a visitor. */
export function getAccessToken(): string | null {
  return localStorage.getItem(KEY);
}

/** Keeps a fresh access token for every tab of this browser. */
export function saveAccessToken(value: string): void {
  localStorage.setItem(KEY, value);
  syncSignedInCookie(true);
}

/** Lets the server know whether somebody is signed in here, as it is at this moment. */
export function syncSignedInCookie(signedIn = getAccessToken() !== null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing outside https.
  document.cookie = `${SIGNED_IN_COOKIE}=1; Path=/; Max-Age=${signedIn ? YEAR_S : 0}; SameSite=Lax${secureAttribute()}`;
}

/**
 * Forgets the sign-in and loads `to` anew, so that nothing of the account stays in memory.
 * Other tabs follow by the storage event.
 */
export function clearSessionAndRedirect(to: string): void {
  // Of several calls that fail together, the first has left already.
  if (getAccessToken() === null) return;
  localStorage.removeItem(KEY);
  syncSignedInCookie(false);
  location.assign(to);
}

/** Where a visitor signs in, to come back to this very page afterwards. */
export function loginPath(): string {
  const here = location.pathname + location.search + location.hash;
  return here === '/' ? '/login' : `/login?next=${encodeURIComponent(here)}`;
}

/** The address to return to after signing in: a page of this server, never another site. */
export function safeNextPath(next: string | null): string {
  if (!next?.startsWith('/')) return '/';
  const { origin, pathname, search, hash } = new URL(next, 'http://here');
  // `/.//host` keeps this origin and still becomes `//host`, which is another server.
  if (origin !== 'http://here' || pathname.startsWith('//')) return '/';
  return pathname + search + hash;
}

/** Leaves this tab when another one signs out. Returns the function that stops it. */
export function watchSignOut(): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === KEY && event.newValue === null) location.assign('/');
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}
