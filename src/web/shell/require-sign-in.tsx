import { Navigate, Outlet } from 'react-router';
import { getAccessToken, loginPath } from '../access-token.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useCurrentUser } from '../user.ts';

/** Pages of an account: a visitor signs in first, and comes back to where they wanted to go. */
export function RequireSignIn() {
  const me = useCurrentUser();
  if (getAccessToken() === null) return <Navigate to={loginPath()} replace />;
  if (me.data) return <Outlet />;
  if (me.isError) {
    return (
      <Notice kind="error" onRetry={() => me.refetch()}>
        {me.error.message}
      </Notice>
    );
  }
  return <Skeleton />;
}
