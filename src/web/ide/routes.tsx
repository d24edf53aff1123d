import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The editor, over the whole screen. */
export const ideRoutes: RouteObject[] = [
  { path: '/ide/:projectId', lazy: page(() => import('./ide-page.tsx')) },
];
