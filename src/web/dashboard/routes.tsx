import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** Counters over all projects, and the newest of them. */
export const dashboardRoutes: RouteObject[] = [
  { path: '/dashboard', lazy: page(() => import('./dashboard-page.tsx')) },
];
