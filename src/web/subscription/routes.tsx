import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** Plans and payments; visitors may look. */
export const subscriptionRoutes: RouteObject[] = [
  { path: '/subscription', lazy: page(() => import('./subscription-page.tsx')) },
];
