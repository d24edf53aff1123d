import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** The debug assistant and the answers that it gave. */
export const debugRoutes: RouteObject[] = [
  { path: '/debug', lazy: lazyPage(() => import('./debug-page.tsx')) },
  { path: '/debug/:id', lazy: lazyPage(() => import('./session-page.tsx')) },
];
