import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Notice } from '../ui/notice.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { TwoFactorCodeStep } from './code-step.tsx';
import { LoginForm } from './login-form.tsx';
import { OAuthCallback } from './oauth-callback.tsx';
import { refusalMessage } from './refusal-message.ts';
import { OAuthButtons } from './social-buttons.tsx';
import { useSignIn } from './use-sign-in.ts';

/** `/login` */
export function Component() {
  const { t } = useTranslation('auth');
  const { completeSignIn, isSignedIn, nextPath, next, nextQuery } = useSignIn();
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const social = query.get('social');
  const ssoRequired = useQuery(apiQuery('GET /auth/setup')).data?.sso_required ?? false;
  const [challenge, setChallenge] = useState(social === 'code' ? hash.slice(1) : null);
  const [isChallengeExpired, setIsChallengeExpired] = useState(false);
  const [remember, setRemember] = useState(false);

  // The token is saved before the navigation, so the redirect for signed-in users must not run in between.
  const [isCompleting, setIsCompleting] = useState(false);
  const completeOnce: typeof completeSignIn = async (reply) => {
    setIsCompleting(true);
    await completeSignIn(reply);
  };
  if (isSignedIn && !isCompleting && social !== 'in') return <Navigate to={nextPath} replace />;
  if (social === 'in') return <OAuthCallback />;
  if (challenge !== null) {
    const restart = () => {
      setChallenge(null);
      setIsChallengeExpired(true);
      void navigate(`/login${nextQuery}`, { replace: true });
    };
    return (
      <AuthLayout
        title={t('code.title')}
        lead={t('code.lead')}
        foot={
          <button type="button" className="link" onClick={restart}>
            {t('code.back')}
          </button>
        }
      >
        <TwoFactorCodeStep challenge={challenge} onSignedIn={completeOnce} onExpired={restart} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title={t('login.title')}
      lead={t('login.lead')}
      foot={
        <>
          {t('login.no_account')}{' '}
          <Link to={`/signup${nextQuery}`} className="link">
            {t('login.to_signup')}
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <LoginNotice reset={query.get('reset')} social={social} isOver={isChallengeExpired} />
        {!ssoRequired && (
          <LoginForm onSignedIn={completeOnce} onChallenge={setChallenge} onRemember={setRemember} />
        )}
      </div>
      <OAuthButtons next={next} remember={remember} />
      {ssoRequired && (
        <details className="mt-4">
          <summary className="link cursor-pointer">{t('login.with_password')}</summary>
          <p className="my-3 text-muted">{t('login.break_glass')}</p>
          <LoginForm onSignedIn={completeOnce} onChallenge={setChallenge} onRemember={setRemember} />
        </details>
      )}
    </AuthLayout>
  );
}

/** Notice for the redirect that led here. */
function LoginNotice({
  reset,
  social,
  isOver,
}: {
  reset: string | null;
  social: string | null;
  isOver: boolean;
}): ReactNode {
  const { t } = useTranslation('auth');
  if (isOver) return <Notice>{t('code.expired')}</Notice>;
  if (reset === 'done') return <Notice>{t('reset.done')}</Notice>;
  if (reset === 'deleted') return <Notice>{t('login.leaving')}</Notice>;
  if (social === null || social === 'code') return null;
  return <Notice kind="error">{t(refusalMessage(social))}</Notice>;
}
