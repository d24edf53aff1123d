import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** Sign in and sign up. */
export const authRoutes: RouteObject[] = [
  { path: '/login', lazy: page(() => import('./login-page.tsx')) },
  { path: '/signup', lazy: page(() => import('./signup-page.tsx')) },
];
