import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Counters over all projects, and the newest of them. */
export const dashboardRoutes: RouteObject[] = [
  { path: '/dashboard', lazy: lazyPage(() => import('./dashboard-page.tsx')) },
];
