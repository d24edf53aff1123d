import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Debug requests and their answers. */
export const debugPages: RouteObject[] = [
  { path: '/debug', lazy: lazyPage(() => import('./debug-page.tsx')) },
  { path: '/debug/:id', lazy: lazyPage(() => import('./session-page.tsx')) },
  { path: '/debug/:id/compare/:other?', lazy: lazyPage(() => import('./compare-answers-page.tsx')) },
];
