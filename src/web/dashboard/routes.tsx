import { type RouteObject, redirectDocument } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { lazyPage } from '../lazy-page.ts';

/** Home page; visitors are redirected to the landing page, a document of the server. */
export const homePages: RouteObject[] = [
  {
    path: '/',
    loader: () => (getAccessToken() === null ? redirectDocument('/') : null),
    lazy: lazyPage(() => import('./home-page.tsx')),
  },
];

/** Dashboard. */
export const dashboardPages: RouteObject[] = [
  { path: '/dashboard', lazy: lazyPage(() => import('./dashboard-page.tsx')) },
];
