import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The chat about a project. */
export const chatRoutes: RouteObject[] = [
  { path: '/projects/:id/chat', lazy: page(() => import('./chat-page.tsx')) },
];
