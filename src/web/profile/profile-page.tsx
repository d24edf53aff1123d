import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { THEMES, type Theme } from '../theme.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Initial } from '../ui/initial.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { longDate } from '../ui/time.ts';
import { signOut, useChangePreferences, useMe } from '../user.ts';

/** `/profile`: who is signed in, and how they like to see and read. */
export function Component() {
  const user = useMe().data;
  return user ? <ProfilePage user={user} /> : null;
}

function ProfilePage({ user }: { user: Profile }) {
  const { t } = useTranslation('profile');
  const name = user.full_name || user.username;
  return (
    <div className="max-w-[640px]">
      <PageHeader
        title={t('title')}
        actions={<Button onClick={() => void signOut()}>{t('logout')}</Button>}
      />
      <div className="mb-8 flex items-center gap-4">
        <Initial name={name} large />
        <div className="min-w-0">
          <p className="truncate text-answer font-semibold">{name}</p>
          <p className="truncate text-muted">{user.email}</p>
        </div>
      </div>
      <Account user={user} />
      <Preferences preferences={user.preferences} />
    </div>
  );
}

function Account({ user }: { user: Profile }) {
  const { t, i18n } = useTranslation('profile');
  const details = {
    username: user.username,
    joined: longDate(user.created_at, i18n.language),
    plan: t(`plans.${user.subscription_plan}`),
    role: t(`roles.${user.role}`),
  };
  return (
    <section className="mb-8">
      <h2 className="mb-2">{t('account')}</h2>
      <dl>
        {Object.entries(details).map(([detail, value]) => (
          <div key={detail} className="flex h-8 items-center border-t border-rule">
            <dt className="w-40 text-muted">{t(detail)}</dt>
            <dd className="truncate">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Preferences({ preferences }: { preferences: Profile['preferences'] }) {
  const { t } = useTranslation('profile');
  const change = useChangePreferences();
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (part: Partial<Profile['preferences']>) => {
    setFailure(null);
    await change(part).catch((error: Error) => setFailure(error.message));
  };
  return (
    <section>
      <h2 className="mb-2">{t('appearance')}</h2>
      <div className="grid gap-4 border-t border-rule pt-3 sm:grid-cols-2">
        <Field label={t('theme')}>
          <Select
            value={preferences.theme}
            onChange={(event) => void save({ theme: event.target.value as Theme })}
          >
            {THEMES.map((theme) => (
              <option key={theme} value={theme}>
                {t(`themes.${theme}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('language')}>
          <Select
            value={preferences.language}
            onChange={(event) => void save({ language: event.target.value as Language })}
          >
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <option key={language} value={language} lang={language}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {failure && (
        <Notice kind="error" className="mt-4">
          {t('not_saved', { reason: failure })}
        </Notice>
      )}
    </section>
  );
}
