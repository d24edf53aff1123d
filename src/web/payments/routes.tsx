import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Plans and payments, also for visitors. */
export const paymentPages: RouteObject[] = [
  { path: '/subscription', lazy: lazyPage(() => import('./subscription-page.tsx')) },
];

/** Usage and invoices of the signed-in user. */
export const billingPages: RouteObject[] = [
  { path: '/settings/billing', lazy: lazyPage(() => import('./billing-page.tsx')) },
  { path: '/billing/invoices/:id', lazy: lazyPage(() => import('./invoice-page.tsx')) },
];
