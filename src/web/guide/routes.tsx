import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** How to use Hindsight, for everybody, and the page for an address that leads nowhere. */
export const guideRoutes: RouteObject[] = [
  { path: '/how-to-use', lazy: page(() => import('./how-to-use-page.tsx')) },
  { path: '*', lazy: page(() => import('./not-found-page.tsx')) },
];
