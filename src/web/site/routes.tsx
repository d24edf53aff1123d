import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The first page, and the page for an address that does not exist. */
export const siteRoutes: RouteObject[] = [
  { path: '/', lazy: page(() => import('./home-page.tsx')) },
  { path: '*', lazy: page(() => import('./not-found-page.tsx')) },
];
