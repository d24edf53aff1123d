import { type ComponentType, lazy } from 'react';
import type { Project } from '#contract/projects.ts';

/** A project tab contributed by another feature. */
interface ProjectTab {
  value: string;
  /** Translation key of the label, with its namespace: `chat:tab`. */
  label: string;
  Content: ComponentType<{ project: Project }>;
}

/**
 * Project tabs after Commits. Features must not import each other, so tabs are registered here, as pages are in
 * the router.
 */
export const PROJECT_TABS: ProjectTab[] = [
  {
    value: 'chat',
    label: 'chat:tab',
    Content: lazy(() => import('./chat/chat-tab.tsx').then((module) => ({ default: module.ChatTab }))),
  },
  {
    value: 'ide',
    label: 'ide:tab',
    Content: lazy(() => import('./ide/ide-tab.tsx').then((module) => ({ default: module.IdeTab }))),
  },
  {
    value: 'evolution',
    label: 'backtest:tab',
    Content: lazy(() =>
      import('./backtest/backtest-tab.tsx').then((module) => ({ default: module.BacktestTab })),
    ),
  },
];
