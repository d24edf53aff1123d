import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** What was changed and what was said of it. */
export const historyRoutes: RouteObject[] = [
  { path: '/history', lazy: lazyPage(() => import('./history-page.tsx')) },
];
