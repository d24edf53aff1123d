import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';
import { prefetchProject } from '../prefetch.ts';

/** The chat about a project. */
export const chatPages: RouteObject[] = [
  { path: '/projects/:id/chat', loader: prefetchProject, lazy: lazyPage(() => import('./chat-page.tsx')) },
  {
    path: '/projects/:id/chat/compare/:a/:b',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./compare-messages-page.tsx')),
  },
];
