import { createBrowserRouter, type RouteObject } from 'react-router';
import { adminRoutes } from './admin/routes.tsx';
import { authRoutes } from './auth/routes.tsx';
import { chatRoutes } from './chat/routes.tsx';
import { dashboardRoutes } from './dashboard/routes.tsx';
import { debugRoutes } from './debug/routes.tsx';
import { guideRoutes } from './guide/routes.tsx';
import { historyRoutes } from './history/routes.tsx';
import { homeRoutes } from './home/routes.tsx';
import { ideRoutes } from './ide/routes.tsx';
import { notificationRoutes } from './notifications/routes.tsx';
import { profileRoutes } from './profile/routes.tsx';
import { invitationRoutes, projectRoutes } from './projects/routes.tsx';
import { searchRoutes } from './search/routes.tsx';
import { settingsRoutes } from './settings/routes.tsx';
import { crossesCspBoundary, redirectAcrossCspBoundary } from './shell/csp-boundary.ts';
import { RequireSignIn } from './shell/require-sign-in.tsx';
import { PageError, ShellError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';
import { siteRoutes } from './site/routes.tsx';
import { subscriptionRoutes } from './subscription/routes.tsx';

/** All routes. Those under `RequireSignIn` redirect visitors to the sign-in page. */
export const routes: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: ShellError,
    HydrateFallback: EmptyFallback,
    loader: redirectAcrossCspBoundary,
    shouldRevalidate: crossesCspBoundary,
    children: [
      {
        ErrorBoundary: PageError,
        children: [
          ...authRoutes,
          ...siteRoutes,
          ...subscriptionRoutes,
          ...guideRoutes,
          ...homeRoutes,
          ...invitationRoutes,
          {
            Component: RequireSignIn,
            children: [
              {
                ErrorBoundary: PageError,
                children: [
                  ...dashboardRoutes,
                  ...projectRoutes,
                  ...chatRoutes,
                  ...debugRoutes,
                  ...searchRoutes,
                  ...historyRoutes,
                  ...ideRoutes,
                  ...notificationRoutes,
                  ...profileRoutes,
                  ...settingsRoutes,
                  ...adminRoutes,
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/** Creates the browser router. */
export function createRouter() {
  return createBrowserRouter(routes);
}

/** Nothing, since the first page loads quickly. */
function EmptyFallback() {
  return null;
}
