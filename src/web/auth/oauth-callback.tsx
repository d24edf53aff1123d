import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { PageTitle } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Exchanges the refresh cookie set by the OAuth callback for an access token. */
export function OAuthCallback() {
  const { t } = useTranslation('auth');
  const { completeSignInByCookie, nextQuery } = useSignIn();
  const navigate = useNavigate();
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const failed = `/login?social=failed${nextQuery.replace('?', '&')}`;
    completeSignInByCookie().catch(() => navigate(failed, { replace: true }));
  }, [completeSignInByCookie, navigate, nextQuery]);
  return (
    <>
      <PageTitle>{t('login.title')}</PageTitle>
      <Skeleton />
    </>
  );
}
