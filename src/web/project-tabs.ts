import type { ComponentType } from 'react';
import type { Project } from '#contract/projects.ts';
import { lazyComponent } from './lazy-component.tsx';

/** A project tab contributed by another feature. */
interface ProjectTab {
  /** Path segment below the project: `trust` for `/projects/:id/trust`. Its label is `tab.trust`. */
  value: string;
  Content: ComponentType<{ project: Project }>;
}

/**
 * Project tabs between IDE and Settings, each with a path of its own. Features must not import each other, so tabs are
 * registered here, as pages are in the router.
 */
export const PROJECT_TABS: readonly ProjectTab[] = [
  {
    value: 'errors',
    Content: lazyComponent(() => import('./errors/errors-tab.tsx').then((module) => module.ErrorsTab)),
  },
  {
    value: 'releases',
    Content: lazyComponent(() => import('./errors/releases-tab.tsx').then((module) => module.ReleasesTab)),
  },
  {
    value: 'tests',
    Content: lazyComponent(() => import('./test-runs/tests-tab.tsx').then((module) => module.TestsTab)),
  },
  {
    value: 'evolution',
    Content: lazyComponent(() =>
      import('./evolution/evolution-tab.tsx').then((module) => module.EvolutionTab),
    ),
  },
  {
    value: 'trust',
    Content: lazyComponent(() => import('./backtest/backtest-tab.tsx').then((module) => module.BacktestTab)),
  },
  {
    value: 'branches',
    Content: lazyComponent(() => import('./branches/branches-tab.tsx').then((module) => module.BranchesTab)),
  },
];

/** Chat in the project's page, at `?tab=chat`: `/projects/:id/chat` is a page of its own. */
export const ChatTabContent = lazyComponent(() =>
  import('./chat/chat-tab.tsx').then((module) => module.ChatTab),
);

/** Errors of all projects, in the page of debug requests. */
export const ErrorInbox = lazyComponent(() => import('./errors/inbox.tsx').then((module) => module.Inbox));
