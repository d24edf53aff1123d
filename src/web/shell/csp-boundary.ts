import { type LoaderFunctionArgs, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router';

/**
 * Loads a new document for navigations that enter or leave a page with a Content-Security-Policy of its own: its
 * third-party scripts must not persist in the rest of the application.
 */
export function redirectAcrossCspBoundary({ request }: LoaderFunctionArgs): Response | null {
  const to = new URL(request.url);
  return hasOwnCsp(to.pathname) === hasOwnCsp(documentPath())
    ? null
    : redirectDocument(to.pathname + to.search);
}

/** True when a navigation crosses that boundary. */
export function crossesCspBoundary({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return hasOwnCsp(currentUrl.pathname) !== hasOwnCsp(nextUrl.pathname);
}

function hasOwnCsp(path: string): boolean {
  return /^\/subscription\/?$/.test(path);
}

/** Path of the loaded document. */
function documentPath(): string {
  const [load] = performance.getEntriesByType('navigation');
  return load === undefined ? location.pathname : new URL(load.name).pathname;
}
