import type { RouteObject } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { lazyPage } from '../lazy-page.ts';
import { prefetch, prefetchProject } from '../prefetch.ts';
import { PROJECT_TABS } from '../project-tabs.ts';

const TAB_PATHS = ['commits', ...PROJECT_TABS.map(({ value }) => value), 'settings'];

/** Projects. */
export const projectPages: RouteObject[] = [
  {
    path: '/projects',
    loader: prefetch(() => [apiQuery('GET /projects')]),
    lazy: lazyPage(() => import('./projects-page.tsx')),
  },
  { path: '/projects/import', lazy: lazyPage(() => import('./import-page.tsx')) },
  {
    path: '/projects/:id',
    loader: prefetchProject,
    lazy: lazyPage(() => import('./project-page.tsx')),
    // One page for all tabs: it stays mounted from tab to tab, and another path is not found.
    children: TAB_PATHS.map((tab) => ({ path: `/projects/:id/${tab}` })),
  },
];

/** Invitations, open to people without an account. */
export const invitationPages: RouteObject[] = [
  { path: '/invitation', lazy: lazyPage(() => import('./invitation-page.tsx')) },
];
