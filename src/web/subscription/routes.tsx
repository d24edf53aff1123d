import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Plans and payments; visitors may look. */
export const subscriptionRoutes: RouteObject[] = [
  { path: '/subscription', lazy: lazyPage(() => import('./subscription-page.tsx')) },
];
