import { type ComponentType, lazy } from 'react';
import type { Project } from '#contract/projects.ts';

/** A tab of a project's page that another feature brings. */
export interface ProjectTab {
  value: string;
  /** The key of its label, with its file: `chat:tab`. */
  label: string;
  Content: ComponentType<{ project: Project }>;
}

/** Tabs behind the commits. Features don't know each other, so they meet here, as their pages do in the router. */
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
