import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { Notice } from '../ui/notice.tsx';
import { useArrival } from './use-sign-in.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CodeStep } from './code-step.tsx';
import { ComingBack } from './oauth-callback.tsx';
import { LoginForm } from './login-form.tsx';
import { SocialButtons } from './social-buttons.tsx';

/** Why another service did not lead in: what the server puts into the address, and what is said of it. */
const REFUSALS = [
  ...['refused', 'foreign', 'not_set_up', 'email_unverified', 'link_by_hand', 'first_account'],
  ...['signup_closed', 'invitation_needed', 'invitation_over', 'deactivated'],
];

/** `/login` */
export function Component() {
  const { t } = useTranslation('auth');
  const { arrive, arrived, address, next, suffix } = useArrival();
  const [query] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const social = query.get('social');
  const [challenge, setChallenge] = useState(social === 'code' ? hash.slice(1) : null);
  const [isOver, setIsOver] = useState(false);
  const [remember, setRemember] = useState(false);

  // Signing in keeps the token before it leads on, which must not be overtaken.
  const [leaving, setLeaving] = useState(false);
  const arriveOnce: typeof arrive = async (reply) => {
    setLeaving(true);
    await arrive(reply);
  };
  if (arrived && !leaving && social !== 'in') return <Navigate to={address} replace />;
  if (social === 'in') return <ComingBack />;
  if (challenge !== null) {
    const again = () => {
      setChallenge(null);
      setIsOver(true);
      void navigate(`/login${suffix}`, { replace: true });
    };
    return (
      <AuthLayout
        title={t('code.title')}
        lead={t('code.lead')}
        foot={
          <button type="button" className="link" onClick={again}>
            {t('code.back')}
          </button>
        }
      >
        <CodeStep challenge={challenge} onArrive={arriveOnce} onOver={again} />
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
          <Link to={`/signup${suffix}`} className="link">
            {t('login.to_signup')}
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Outcome reset={query.get('reset')} social={social} isOver={isOver} />
        <LoginForm onArrive={arriveOnce} onChallenge={setChallenge} onRemember={setRemember} />
      </div>
      <SocialButtons next={next} remember={remember} />
    </AuthLayout>
  );
}

/** What brought the reader here, where it needs words. */
function Outcome({
  reset,
  social,
  isOver,
}: {
  reset: string | null;
  social: string | null;
  isOver: boolean;
}): ReactNode {
  const { t } = useTranslation('auth');
  if (isOver) return <Notice>{t('code.over')}</Notice>;
  if (reset === 'done') return <Notice>{t('reset.done')}</Notice>;
  if (reset === 'deleted') return <Notice>{t('login.leaving')}</Notice>;
  if (social === null || social === 'code') return null;
  return <Notice kind="error">{t(`social.${REFUSALS.includes(social) ? social : 'failed'}`)}</Notice>;
}
