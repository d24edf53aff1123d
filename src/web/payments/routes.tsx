import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Plans and payments, also for visitors. */
export const paymentPages: RouteObject[] = [
  { path: '/subscription', lazy: lazyPage(() => import('./subscription-page.tsx')) },
];
