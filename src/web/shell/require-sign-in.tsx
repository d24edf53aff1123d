import { Navigate, Outlet, useLocation } from 'react-router';
import { getAccessToken, loginPath } from '../access-token.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useCurrentUser } from '../user.ts';

/** The one page of an account that must set up a second factor first. */
const SECOND_FACTOR_PAGE = '/set-up-two-factor';

/** Route guard: redirects visitors to the sign-in page, and accounts that lack a required second factor to its setup. */
export function RequireSignIn() {
  const me = useCurrentUser();
  const { pathname } = useLocation();
  if (getAccessToken() === null) return <Navigate to={loginPath()} replace />;
  return (
    <>
      {me.data === undefined && <h1 className="sr-only">Hindsight</h1>}
      <QueryState query={me}>
        {(user) =>
          user.second_factor_required && pathname !== SECOND_FACTOR_PAGE ? (
            <Navigate to={SECOND_FACTOR_PAGE} replace />
          ) : (
            <Outlet />
          )
        }
      </QueryState>
    </>
  );
}
