import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';
import { prefetchProject } from '../prefetch.ts';

/** Commits, files, functions and comparisons. */
export const codePages: RouteObject[] = [
  {
    path: '/projects/:id/commits/:sha',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./commit-page.tsx')),
  },
  { path: '/projects/:id/files/*', loader: prefetchProject, lazy: lazyPage(() => import('./file-page.tsx')) },
  {
    path: '/projects/:id/functions/*',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./function-page.tsx')),
  },
  // A revision may contain slashes.
  {
    path: '/projects/:id/compare/*',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./compare-page.tsx')),
  },
  { path: '/from/*', lazy: lazyPage(() => import('./from-page.tsx')) },
];
