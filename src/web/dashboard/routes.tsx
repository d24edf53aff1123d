import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Dashboard. */
export const dashboardRoutes: RouteObject[] = [
  { path: '/dashboard', lazy: lazyPage(() => import('./dashboard-page.tsx')) },
];
