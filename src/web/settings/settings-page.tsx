import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { read } from '../query.ts';
import { Details } from '../ui/details.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { longDate } from '../ui/time.ts';
import { useMe } from '../user.ts';
import { ApiKeys } from './api-keys.tsx';
import { ConnectedAccounts } from './connected-accounts.tsx';
import { ModelUseSection } from './model-use.tsx';
import { PasswordForm } from './password-form.tsx';
import { Section } from './section.tsx';
import { SecurityLog } from './security-log.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SignIns } from './sign-ins.tsx';
import { TwoFactor } from './two-factor.tsx';
import { YourData } from './your-data.tsx';

/** `/settings`: everything about the account that can be set. */
export function Component() {
  const { t } = useTranslation('settings');
  const user = useMe().data;
  // Nearly everybody has one, so a page that does not know yet asks for it.
  const hasPassword = useQuery(read('GET /auth/identities')).data?.has_password ?? true;
  if (!user) return null;
  return (
    <div className="max-w-[760px]">
      <PageHeader title={t('title')} />
      <SettingsForm user={user} />
      <PasswordForm username={user.username} hasPassword={hasPassword} />
      <TwoFactor user={user} hasPassword={hasPassword} />
      <SignIns />
      <ConnectedAccounts user={user} />
      <ApiKeys />
      <ModelUseSection />
      <SecurityLog />
      <YourData user={user} hasPassword={hasPassword} />
      <Account user={user} />
    </div>
  );
}

function Account({ user }: { user: Profile }) {
  const { t, i18n } = useTranslation('settings');
  return (
    <Section title={t('info.title')}>
      <Details
        open
        of={{
          [t('info.role')]: t(`parts:roles.${user.role}`),
          [t('info.plan')]: t(`parts:plans.${user.subscription_plan}`),
          [t('info.status')]: t(user.is_active ? 'info.active' : 'info.inactive'),
          [t('info.since')]: longDate(user.created_at, i18n.language),
        }}
      />
    </Section>
  );
}
