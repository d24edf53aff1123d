import type { RouteObject } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch, prefetchProject } from '../prefetch.ts';
import { isImagePath, textQuery } from './text-query.ts';

/** Commits, files, functions and comparisons. */
export const codePages: RouteObject[] = [
  {
    path: '/projects/:id/commits/:sha',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./commit-page.tsx')),
  },
  {
    path: '/projects/:id/files/*',
    loader: prefetch(({ id = '', '*': path = '' }, search) => [
      apiQuery('GET /projects/:id', { params: { id } }),
      ...(path === '' || path.endsWith('/') || isImagePath(path)
        ? []
        : [textQuery(id, path, search.get('ref'))]),
    ]),
    lazy: lazyPage(() => import('./file-page.tsx')),
  },
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
