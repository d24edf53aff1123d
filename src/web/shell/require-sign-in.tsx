import { Navigate, Outlet } from 'react-router';
import { getAccessToken, loginPath } from '../access-token.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useCurrentUser } from '../user.ts';

/** Route guard: redirects visitors to the sign-in page. */
export function RequireSignIn() {
  const me = useCurrentUser();
  if (getAccessToken() === null) return <Navigate to={loginPath()} replace />;
  return (
    <>
      {me.data === undefined && <h1 className="sr-only">Hindsight</h1>}
      <QueryState query={me}>{() => <Outlet />}</QueryState>
    </>
  );
}
