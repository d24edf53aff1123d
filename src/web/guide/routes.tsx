import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Routes of the guide (How to Use) and the 404 page. */
export const guidePages: RouteObject[] = [
  { path: '/how-to-use', lazy: lazyPage(() => import('./how-to-use-page.tsx')) },
  { path: '*', lazy: lazyPage(() => import('./not-found-page.tsx')) },
];
