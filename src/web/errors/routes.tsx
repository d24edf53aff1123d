import type { RouteObject } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch } from '../prefetch.ts';

/** Pages of single errors; the lists are the inbox in `/debug` and a tab of each project. */
export const errorPages: RouteObject[] = [
  {
    path: '/projects/:id/errors/:error',
    loader: prefetch(({ id = '', error = '' }) => [
      apiQuery('GET /projects/:id/errors/:error', { params: { id, error } }),
    ]),
    lazy: lazyPage(() => import('./error-page.tsx')),
  },
];
