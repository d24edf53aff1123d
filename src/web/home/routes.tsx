import { type RouteObject, redirectDocument } from 'react-router';
import { accessToken } from '../access-token.ts';
import { page } from '../page.ts';

/** `/` of somebody who is signed in. A visitor's is a document of the server, which knows by now that it is one. */
export const homeRoutes: RouteObject[] = [
  {
    path: '/',
    loader: () => (accessToken() === null ? redirectDocument('/') : null),
    lazy: page(() => import('./home-page.tsx')),
  },
];
