import { type RouteObject, redirectDocument } from 'react-router';
import { DOC_PATHS, SITE_PAGES } from './site-paths.ts';

/** Prerendered pages, loaded as documents; `/` belongs to the feature `dashboard`. */
export const sitePages: RouteObject[] = Object.keys({ ...SITE_PAGES, ...DOC_PATHS })
  .filter((path) => path !== '/')
  .map((path) => ({ path, loader: ({ request }) => redirectDocument(request.url) }));
