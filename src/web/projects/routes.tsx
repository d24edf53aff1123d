import type { RouteObject } from 'react-router';
import { lazyPage } from '../lazy-page.ts';
import { PROJECT_TABS } from '../project-tabs.ts';

const TAB_PATHS = ['commits', ...PROJECT_TABS.map(({ value }) => value), 'settings'];

/** Projects. */
export const projectPages: RouteObject[] = [
  { path: '/projects', lazy: lazyPage(() => import('./projects-page.tsx')) },
  { path: '/projects/import', lazy: lazyPage(() => import('./import-page.tsx')) },
  {
    path: '/projects/:id',
    lazy: lazyPage(() => import('./project-page.tsx')),
    // One page for all tabs: it stays mounted from tab to tab, and another path is not found.
    children: TAB_PATHS.map((tab) => ({ path: `/projects/:id/${tab}` })),
  },
];

/** Invitations, open to people without an account. */
export const invitationPages: RouteObject[] = [
  { path: '/invitation', lazy: lazyPage(() => import('./invitation-page.tsx')) },
];
