import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** What the signed-in user can set. */
export const settingsRoutes: RouteObject[] = [
  { path: '/settings', lazy: page(() => import('./settings-page.tsx')) },
];
