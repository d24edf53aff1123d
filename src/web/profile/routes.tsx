import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Profile. */
export const profileRoutes: RouteObject[] = [
  { path: '/profile', lazy: lazyPage(() => import('./profile-page.tsx')) },
];
