import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Commit history and feedback. */
export const historyPages: RouteObject[] = [
  { path: '/history', lazy: lazyPage(() => import('./history-page.tsx')) },
];
