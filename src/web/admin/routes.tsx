import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Administration. */
export const adminPages: RouteObject[] = [
  { path: '/admin', lazy: lazyPage(() => import('./admin-page.tsx')) },
];
