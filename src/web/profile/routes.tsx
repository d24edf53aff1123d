import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Profile. */
export const profilePages: RouteObject[] = [
  { path: '/profile', lazy: lazyPage(() => import('./profile-page.tsx')) },
];
