import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Dashboard. */
export const dashboardPages: RouteObject[] = [
  { path: '/dashboard', lazy: lazyPage(() => import('./dashboard-page.tsx')) },
];
