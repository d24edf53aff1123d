import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { EmailField, PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { useProfileForm } from '../parts/use-profile-form.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Switch } from '../ui/switch.tsx';
import { Appearance } from './appearance.tsx';
import { EmailState } from './email-state.tsx';
import { Section } from './section.tsx';

/** Email, username, notifications, theme and language; Save Changes sends them all. */
export function SettingsForm({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const { email, username, preferences } = user;
  const { email_notifications, push_notifications, theme, language } = preferences;
  const { register, submit, wrong, failure, saved, isSubmitting, asksPassword } = useProfileForm({
    email,
    username,
    preferences: { email_notifications, push_notifications },
  });
  // Theme and language are what the application shows just now, wherever they were chosen.
  const save = submit({ preferences: { theme, language } });
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <Section title={t('account.title')}>
        <EmailField label={t('account.email')} error={wrong('email')} {...register('email')} />
        <EmailState user={user} />
        {asksPassword && (
          <PasswordField
            label={t('parts:current_password')}
            error={wrong('current_password')}
            autoComplete="current-password"
            {...register('current_password')}
          />
        )}
        <UsernameField label={t('account.username')} error={wrong('username')} {...register('username')} />
      </Section>
      <Section title={t('notifications.title')} lead={t('notifications.lead')}>
        <div className="flex flex-col">
          <Switch label={t('notifications.email')} {...register('preferences.email_notifications')} />
          <Switch label={t('notifications.push')} {...register('preferences.push_notifications')} />
        </div>
      </Section>
      <Appearance preferences={preferences} />
      <div className="flex flex-wrap items-center gap-4 border-t border-rule py-5 md:pl-58">
        <Button type="submit" kind="primary" loading={isSubmitting}>
          {t(isSubmitting ? 'saving' : 'save')}
        </Button>
        {failure && (
          <Notice kind="error" className="flex-1">
            {failure}
          </Notice>
        )}
        {saved && <Notice>{t('saved')}</Notice>}
      </div>
    </form>
  );
}
