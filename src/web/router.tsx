import type { QueryClient } from '@tanstack/react-query';
import { createBrowserRouter, type RouteObject, RouterContextProvider } from 'react-router';
import { accountPages } from './account/routes.tsx';
import { adminPages } from './admin/routes.tsx';
import { authPages } from './auth/routes.tsx';
import { chatPages } from './chat/routes.tsx';
import { codePages } from './code/routes.tsx';
import { dashboardPages, homePages } from './dashboard/routes.tsx';
import { debugPages } from './debug/routes.tsx';
import { designPages } from './design/routes.tsx';
import { errorPages } from './errors/routes.tsx';
import { guidePages } from './guide/routes.tsx';
import { historyPages } from './history/routes.tsx';
import { idePages } from './ide/routes.tsx';
import { issuePages } from './issues/routes.tsx';
import { notificationPages } from './notifications/routes.tsx';
import { billingPages, paymentPages } from './payments/routes.tsx';
import { prefetch, queryClientContext } from './prefetch.ts';
import { invitationPages, projectPages } from './projects/routes.tsx';
import { searchPages } from './search/routes.tsx';
import { crossesCspBoundary, redirectAcrossCspBoundary } from './shell/csp-boundary.ts';
import { RequireSignIn } from './shell/require-sign-in.tsx';
import { PageError, ShellError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';
import { sitePages } from './site/routes.tsx';
import { teamPages } from './teams/routes.tsx';
import { currentUserQuery } from './user.ts';

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
        loader: prefetch(() => [currentUserQuery]),
        children: [
          ...authPages,
          ...sitePages,
          ...paymentPages,
          ...guidePages,
          ...designPages,
          ...homePages,
          ...invitationPages,
          {
            Component: RequireSignIn,
            children: [
              {
                ErrorBoundary: PageError,
                children: [
                  ...dashboardPages,
                  ...projectPages,
                  ...codePages,
                  ...chatPages,
                  ...debugPages,
                  ...errorPages,
                  ...searchPages,
                  ...historyPages,
                  ...issuePages,
                  ...idePages,
                  ...notificationPages,
                  ...accountPages,
                  ...billingPages,
                  ...teamPages,
                  ...adminPages,
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/** Creates the browser router, whose loaders fill the cache. */
export function createRouter(client: QueryClient) {
  const context = new RouterContextProvider(new Map([[queryClientContext, client]]));
  return createBrowserRouter(routes, { getContext: () => context });
}

/** Nothing, since the first page loads quickly. */
function EmptyFallback() {
  return null;
}
