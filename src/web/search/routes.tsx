import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Results of the search box. */
export const searchRoutes: RouteObject[] = [
  { path: '/search', lazy: lazyPage(() => import('./search-page.tsx')) },
];
