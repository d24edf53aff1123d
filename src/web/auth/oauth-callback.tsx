import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { PageTitle } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useArrival } from './use-sign-in.ts';

/** Between coming back from another service and the page that was wanted: the access token is fetched by the cookie. */
export function ComingBack() {
  const { t } = useTranslation('auth');
  const { arriveByCookie, suffix } = useArrival();
  const navigate = useNavigate();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const failed = `/login?social=failed${suffix.replace('?', '&')}`;
    arriveByCookie().catch(() => navigate(failed, { replace: true }));
  }, [arriveByCookie, navigate, suffix]);
  return (
    <>
      <PageTitle>{t('login.title')}</PageTitle>
      <Skeleton />
    </>
  );
}
