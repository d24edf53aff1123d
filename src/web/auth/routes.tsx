import type { RouteObject } from 'react-router';
import { page } from '../lazy-page.ts';

/** Sign in, sign up, and the way back in. */
export const authRoutes: RouteObject[] = [
  { path: '/login', lazy: page(() => import('./login-page.tsx')) },
  { path: '/signup', lazy: page(() => import('./signup-page.tsx')) },
  { path: '/forgot-password', lazy: page(() => import('./forgot-password-page.tsx')) },
  { path: '/reset-password', lazy: page(() => import('./reset-password-page.tsx')) },
  { path: '/verify-email', lazy: page(() => import('./verify-email-page.tsx')) },
];
