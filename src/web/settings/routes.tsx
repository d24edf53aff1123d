import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** What the signed-in user can set. */
export const settingsRoutes: RouteObject[] = [
  { path: '/settings', lazy: lazyPage(() => import('./settings-page.tsx')) },
];
