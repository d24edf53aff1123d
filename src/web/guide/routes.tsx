import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** How to use Hindsight, for everybody, and the page for an address that leads nowhere. */
export const guideRoutes: RouteObject[] = [
  { path: '/how-to-use', lazy: lazyPage(() => import('./how-to-use-page.tsx')) },
  { path: '*', lazy: lazyPage(() => import('./not-found-page.tsx')) },
];
