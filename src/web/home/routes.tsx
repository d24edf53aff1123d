import { type RouteObject, redirectDocument } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { lazyPage } from '../lazy-page.ts';

/** `/` of somebody who is signed in. A visitor's is a document of the server, which knows by now that it is one. */
export const homeRoutes: RouteObject[] = [
  {
    path: '/',
    loader: () => (getAccessToken() === null ? redirectDocument('/') : null),
    lazy: lazyPage(() => import('./home-page.tsx')),
  },
];
