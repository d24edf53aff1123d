import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Notifications. */
export const notificationPages: RouteObject[] = [
  { path: '/notifications', lazy: lazyPage(() => import('./notifications-page.tsx')) },
];
