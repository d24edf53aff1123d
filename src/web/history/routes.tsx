import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** What was changed and what was said of it. */
export const historyRoutes: RouteObject[] = [
  { path: '/history', lazy: page(() => import('./history-page.tsx')) },
];
