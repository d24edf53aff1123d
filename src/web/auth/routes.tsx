import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** Sign in, sign up, and the way back in. */
export const authRoutes: RouteObject[] = [
  { path: '/login', lazy: page(() => import('./login-page.tsx')) },
  { path: '/signup', lazy: page(() => import('./signup-page.tsx')) },
  { path: '/forgot-password', lazy: page(() => import('./forgot-page.tsx')) },
  { path: '/reset-password', lazy: page(() => import('./reset-page.tsx')) },
  { path: '/verify-email', lazy: page(() => import('./verify-page.tsx')) },
];
