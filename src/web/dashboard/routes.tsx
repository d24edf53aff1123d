import { type RouteObject, redirectDocument } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch } from '../prefetch.ts';
import { homeQueries } from './home-queries.ts';

/** Home page; visitors are redirected to the landing page, a document of the server. */
export const homePages: RouteObject[] = [
  {
    path: '/',
    loader: (args) =>
      getAccessToken() === null ? redirectDocument('/') : prefetch(() => Object.values(homeQueries))(args),
    lazy: lazyPage(() => import('./home-page.tsx')),
  },
];

/** Dashboard. */
export const dashboardPages: RouteObject[] = [
  { path: '/dashboard', lazy: lazyPage(() => import('./dashboard-page.tsx')) },
];
