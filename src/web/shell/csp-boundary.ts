import { type LoaderFunctionArgs, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router';

/**
 * Sends the browser for a new document whenever a navigation enters or leaves a page whose document has a policy of
 * its own: scripts of others that it lets in must not live on beside the rest of the product.
 */
export function redirectAcrossCspBoundary({ request }: LoaderFunctionArgs): Response | null {
  const to = new URL(request.url);
  return hasOwnCsp(to.pathname) === hasOwnCsp(documentPath())
    ? null
    : redirectDocument(to.pathname + to.search);
}

/** Asks again at each border between such a page and the others, and nowhere else. */
export function crossesCspBoundary({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return hasOwnCsp(currentUrl.pathname) !== hasOwnCsp(nextUrl.pathname);
}

function hasOwnCsp(path: string): boolean {
  return /^\/subscription\/?$/.test(path);
}

/** The address under which the server sent the document that is open. */
function documentPath(): string {
  const [load] = performance.getEntriesByType('navigation');
  return load === undefined ? location.pathname : new URL(load.name).pathname;
}
