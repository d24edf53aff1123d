import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The debug assistant and the answers that it gave. */
export const debugRoutes: RouteObject[] = [
  { path: '/debug', lazy: page(() => import('./debug-page.tsx')) },
  { path: '/debug/:id', lazy: page(() => import('./session-page.tsx')) },
];
