import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** What administrators look after. */
export const adminRoutes: RouteObject[] = [
  { path: '/admin', lazy: lazyPage(() => import('./admin-page.tsx')) },
];
