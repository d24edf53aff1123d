import type { RouteObject } from 'react-router';
import { page } from '../page.ts';

/** The list of projects, one project, and its commits and files. */
export const projectRoutes: RouteObject[] = [
  { path: '/projects', lazy: page(() => import('./projects-page.tsx')) },
  { path: '/projects/:id', lazy: page(() => import('./project-page.tsx')) },
  { path: '/projects/:id/commits/:sha', lazy: page(() => import('./commit-page.tsx')) },
  { path: '/projects/:id/files/*', lazy: page(() => import('./file-page.tsx')) },
];

/** Reached by a link from outside, also by people who have no account yet. */
export const invitationRoutes: RouteObject[] = [
  { path: '/invitation', lazy: page(() => import('./invitation-page.tsx')) },
];
