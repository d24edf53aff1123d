import type { RouteObject } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch } from '../prefetch.ts';

/** Teams. */
export const teamPages: RouteObject[] = [
  {
    path: '/teams',
    loader: prefetch(() => [apiQuery('GET /teams')]),
    lazy: lazyPage(() => import('./teams-page.tsx')),
  },
  { path: '/teams/:id', lazy: lazyPage(() => import('./team-page.tsx')) },
];
