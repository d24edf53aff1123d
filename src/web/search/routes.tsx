import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** Results of the search box. */
export const searchRoutes: RouteObject[] = [
  { path: '/search', lazy: page(() => import('./search-page.tsx')) },
];
