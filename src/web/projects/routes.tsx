import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** Projects, commits and files. */
export const projectPages: RouteObject[] = [
  { path: '/projects', lazy: lazyPage(() => import('./projects-page.tsx')) },
  { path: '/projects/:id', lazy: lazyPage(() => import('./project-page.tsx')) },
  { path: '/projects/:id/commits/:sha', lazy: lazyPage(() => import('./commit-page.tsx')) },
  { path: '/projects/:id/files/*', lazy: lazyPage(() => import('./file-page.tsx')) },
];

/** Invitations, open to people without an account. */
export const invitationPages: RouteObject[] = [
  { path: '/invitation', lazy: lazyPage(() => import('./invitation-page.tsx')) },
];
