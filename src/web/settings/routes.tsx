import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Settings. */
export const settingsPages: RouteObject[] = [
  { path: '/settings', lazy: lazyPage(() => import('./settings-page.tsx')) },
];
