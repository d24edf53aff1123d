import type { RouteObject } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch } from '../prefetch.ts';

/** Debug requests and their answers. */
export const debugPages: RouteObject[] = [
  { path: '/debug', lazy: lazyPage(() => import('./debug-page.tsx')) },
  {
    path: '/debug/:id',
    loader: prefetch(({ id = '' }) => [apiQuery('GET /debug/sessions/:id', { params: { id } })]),
    lazy: lazyPage(async () => {
      // The details, since their placeholder would stay for 300 ms.
      const [page] = await Promise.all([import('./session-page.tsx'), import('./answer-details.tsx')]);
      return page;
    }),
  },
  { path: '/debug/:id/compare/:other?', lazy: lazyPage(() => import('./compare-answers-page.tsx')) },
];
