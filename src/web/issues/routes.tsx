import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';
import { prefetchProject } from '../prefetch.ts';

/** Imported issues and pull requests. */
export const issuePages: RouteObject[] = [
  {
    path: '/projects/:id/issues/:number',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./issue-page.tsx')),
  },
];
