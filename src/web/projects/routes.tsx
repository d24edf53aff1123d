import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';

/** The list of projects, one project, and its commits and files. */
export const projectRoutes: RouteObject[] = [
  { path: '/projects', lazy: lazyPage(() => import('./projects-page.tsx')) },
  { path: '/projects/:id', lazy: lazyPage(() => import('./project-page.tsx')) },
  { path: '/projects/:id/commits/:sha', lazy: lazyPage(() => import('./commit-page.tsx')) },
  { path: '/projects/:id/files/*', lazy: lazyPage(() => import('./file-page.tsx')) },
];

/** Reached by a link from outside, also by people who have no account yet. */
export const invitationRoutes: RouteObject[] = [
  { path: '/invitation', lazy: lazyPage(() => import('./invitation-page.tsx')) },
];
