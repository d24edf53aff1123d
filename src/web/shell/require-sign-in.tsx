import { Navigate, Outlet } from 'react-router';
import { getAccessToken, loginPath } from '../access-token.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useCurrentUser } from '../user.ts';

/** Pages of an account: a visitor signs in first, and comes back to where they wanted to go. */
export function RequireSignIn() {
  const me = useCurrentUser();
  if (getAccessToken() === null) return <Navigate to={loginPath()} replace />;
  return <QueryState query={me}>{() => <Outlet />}</QueryState>;
}
