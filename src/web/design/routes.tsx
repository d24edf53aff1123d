import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Components in every state; absent from builds. */
export const designPages: RouteObject[] = import.meta.env.DEV
  ? [{ path: '/design', lazy: lazyPage(() => import('./design-page.tsx')) }]
  : [];
