import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Search. */
export const searchPages: RouteObject[] = [
  { path: '/search', lazy: lazyPage(() => import('./search-page.tsx')) },
];
