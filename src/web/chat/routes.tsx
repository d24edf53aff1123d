import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** The chat about a project. */
export const chatPages: RouteObject[] = [
  { path: '/projects/:id/chat', lazy: lazyPage(() => import('./chat-page.tsx')) },
];
