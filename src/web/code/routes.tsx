import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Commits, files, functions and comparisons. */
export const codePages: RouteObject[] = [
  { path: '/projects/:id/commits/:sha', lazy: lazyPage(() => import('./commit-page.tsx')) },
  { path: '/projects/:id/files/*', lazy: lazyPage(() => import('./file-page.tsx')) },
  { path: '/projects/:id/functions/*', lazy: lazyPage(() => import('./function-page.tsx')) },
  // A revision may contain slashes.
  { path: '/projects/:id/compare/*', lazy: lazyPage(() => import('./compare-page.tsx')) },
  { path: '/from/*', lazy: lazyPage(() => import('./from-page.tsx')) },
];
