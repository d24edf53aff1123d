import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** What administrators look after. */
export const adminRoutes: RouteObject[] = [{ path: '/admin', lazy: page(() => import('./admin-page.tsx')) }];
