import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Profile } from '#contract/account.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { signOut, useCurrentUser } from '../user.ts';
import { TwoFactor } from './two-factor.tsx';

/** `/set-up-two-factor`: the one page of an account that must set up a second factor first. */
export function Component() {
  const { t } = useTranslation('settings');
  return (
    <div className="max-w-[760px]">
      <PageHeader title={t('two_factor.required_title')} lead={t('two_factor.required_lead')} />
      <QueryState query={useCurrentUser()}>{(user) => <SecondFactorSetup user={user} />}</QueryState>
    </div>
  );
}

function SecondFactorSetup({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const hasPassword = useQuery(apiQuery('GET /auth/identities')).data?.has_password ?? true;
  return (
    <>
      <TwoFactor user={user} hasPassword={hasPassword} />
      {user.second_factor_required ? (
        <Button onClick={() => void signOut()}>{t('two_factor.sign_out')}</Button>
      ) : (
        <Link to="/" className="link">
          {t('two_factor.continue')}
        </Link>
      )}
    </>
  );
}
