import { Navigate, Outlet } from 'react-router';
import { accessToken, loginAddress } from '../access-token.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useMe } from '../user.ts';

/** Pages of an account: a visitor signs in first, and comes back to where they wanted to go. */
export function SignedIn() {
  const me = useMe();
  if (accessToken() === null) return <Navigate to={loginAddress()} replace />;
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
