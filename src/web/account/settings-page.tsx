import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import type { Profile } from '#contract/account.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { useCurrentUser } from '../user.ts';
import { ApiKeys } from './api-keys.tsx';
import { ConnectedAccounts } from './connected-accounts.tsx';
import { LoginSessions } from './login-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { SettingsForm } from './settings-form.tsx';
import { TeamsSection } from './teams-section.tsx';
import { TwoFactor } from './two-factor.tsx';

/** Sections far below the fold have scripts of their own. */
const ModelUsageSection = lazyComponent(() =>
  import('./model-usage-section.tsx').then((module) => module.ModelUsageSection),
);
const OwnModelSection = lazyComponent(
  () => import('../parts/own-model-section.tsx').then((module) => module.OwnModelSection),
  { early: true },
);
const WatchesSection = lazyComponent(() =>
  import('./watches-section.tsx').then((module) => module.WatchesSection),
);
const LocalEditorSection = lazyComponent(() =>
  import('./local-editor-section.tsx').then((module) => module.LocalEditorSection),
);
const SecurityLog = lazyComponent(() => import('./security-log.tsx').then((module) => module.SecurityLog));
const SectionLinks = lazyComponent(() => import('./section-links.tsx').then((module) => module.SectionLinks));
const AccountData = lazyComponent(() => import('./account-data.tsx').then((module) => module.AccountData));

/** `/settings`: all settings of the account. */
export function Component() {
  const { t } = useTranslation('settings');
  return (
    <div className="gap-12 xl:grid xl:grid-cols-[760px_200px]">
      <div className="max-w-[760px]">
        <PageHeader title={t('title')} />
        <QueryState query={useCurrentUser()}>{(user) => <AllSettings user={user} />}</QueryState>
      </div>
      <Suspense>
        <SectionLinks />
      </Suspense>
    </div>
  );
}

function AllSettings({ user }: { user: Profile }) {
  // Most accounts have a password: the default until loaded.
  const hasPassword = useQuery(apiQuery('GET /auth/identities')).data?.has_password ?? true;
  return (
    <>
      <SettingsForm user={user} />
      <Suspense>
        <WatchesSection />
        <LocalEditorSection preferences={user.preferences} />
      </Suspense>
      <PasswordForm username={user.username} hasPassword={hasPassword} />
      <TwoFactor user={user} hasPassword={hasPassword} />
      <LoginSessions />
      <ConnectedAccounts user={user} />
      <TeamsSection />
      <ApiKeys />
      <Suspense>
        <ModelUsageSection />
        <OwnModelSection />
      </Suspense>
      <Suspense>
        <SecurityLog />
        <AccountData user={user} hasPassword={hasPassword} />
      </Suspense>
      <AccountInfo user={user} />
    </>
  );
}

function AccountInfo({ user }: { user: Profile }) {
  const { t, i18n } = useTranslation('settings');
  return (
    <Section title={t('info.title')}>
      <DescriptionList
        borderless
        items={{
          [t('info.role')]: t(`parts:roles.${user.role}`),
          [t('info.plan')]: (
            <>
              {t(`parts:plans.${user.subscription_plan}`)}
              {' · '}
              <Link to="/settings/billing" className="link">
                {t('info.billing')}
              </Link>
            </>
          ),
          [t('info.status')]: t(user.is_active ? 'info.active' : 'info.inactive'),
          [t('info.since')]: formatLongDate(user.created_at, i18n.language),
        }}
      />
    </Section>
  );
}
