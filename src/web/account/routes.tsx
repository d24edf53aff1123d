import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Profile and settings. */
export const accountPages: RouteObject[] = [
  { path: '/profile', lazy: lazyPage(() => import('./profile-page.tsx')) },
  {
    path: '/set-up-two-factor',
    lazy: lazyPage(() => import('./second-factor-page.tsx')),
  },
  { path: '/settings', lazy: lazyPage(() => import('./settings-page.tsx')) },
];
