import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** The editor, over the whole screen. */
export const idePages: RouteObject[] = [
  { path: '/ide/:projectId', lazy: lazyPage(() => import('./ide-page.tsx')) },
  {
    path: '/ide/:projectId/conflicts',
    lazy: lazyPage(() => import('./conflicts/conflict-page.tsx')),
  },
];
