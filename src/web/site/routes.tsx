import { type RouteObject, redirectDocument } from 'react-router';
import { SITE_PAGES } from './site-paths.ts';

/** Prerendered pages, loaded as documents; `/` belongs to the feature `dashboard`. */
export const sitePages: RouteObject[] = Object.keys(SITE_PAGES)
  .filter((path) => path !== '/')
  .map((path) => ({ path, loader: ({ request }) => redirectDocument(request.url) }));
