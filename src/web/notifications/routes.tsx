import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** What the reader was told. */
export const notificationRoutes: RouteObject[] = [
  { path: '/notifications', lazy: page(() => import('./notifications-page.tsx')) },
];
