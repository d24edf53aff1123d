import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Sign-in, sign-up and account recovery. */
export const authPages: RouteObject[] = [
  { path: '/login', lazy: lazyPage(() => import('./login-page.tsx')) },
  { path: '/signup', lazy: lazyPage(() => import('./signup-page.tsx')) },
  { path: '/forgot-password', lazy: lazyPage(() => import('./forgot-password-page.tsx')) },
  { path: '/reset-password', lazy: lazyPage(() => import('./reset-password-page.tsx')) },
  { path: '/verify-email', lazy: lazyPage(() => import('./verify-email-page.tsx')) },
];
