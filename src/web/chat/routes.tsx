import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** The chat about a project. */
export const chatRoutes: RouteObject[] = [
  { path: '/projects/:id/chat', lazy: lazyPage(() => import('./chat-page.tsx')) },
];
