import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The signed-in user. */
export const profileRoutes: RouteObject[] = [
  { path: '/profile', lazy: page(() => import('./profile-page.tsx')) },
];
