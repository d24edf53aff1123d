import type { Location } from 'react-router';

/**
 * Key under which the scroll position of a page is kept. Every page that a tab loads from the server has the router's key `default`: by it alone, a
 * link to a line would restore the position of another page.
 */
export function scrollKey({ key, pathname, search, hash }: Location): string {
  return key === 'default' ? pathname + search + hash : key;
}
