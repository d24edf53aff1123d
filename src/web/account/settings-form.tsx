import type { Profile } from '#contract/account.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField, PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { EmailVerificationNotice } from '../parts/email-verification-notice.tsx';
import { useProfileForm } from '../parts/use-profile-form.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Switch } from '../ui/switch.tsx';
import { Appearance } from './appearance.tsx';
import { PushToggle } from './push-toggle.tsx';

const FREQUENCIES = ['immediate', 'daily'] as const;
const SCOPES = ['all', 'participating', 'security'] as const;

/** Email, username and preferences, saved together. */
export function SettingsForm({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const { email, username, preferences } = user;
  const { email_notifications, push_notifications, notification_scope, email_frequency } = preferences;
  const { theme, language } = preferences;
  const {
    register,
    submit,
    fieldError,
    failure,
    saved,
    isSubmitting,
    requiresPassword: asksPassword,
  } = useProfileForm({
    email,
    username,
    preferences: { email_notifications, push_notifications, notification_scope, email_frequency },
  });
  // Theme and language are saved as currently applied.
  const save = submit({ preferences: { theme, language } });
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <Section anchor="account" title={t('account.title')}>
        <EmailField label={t('account.email')} error={fieldError('email')} {...register('email')} />
        <EmailVerificationNotice user={user} />
        {asksPassword && (
          <PasswordField
            label={t('parts:current_password')}
            error={fieldError('current_password')}
            autoComplete="current-password"
            {...register('current_password')}
          />
        )}
        <UsernameField
          label={t('account.username')}
          error={fieldError('username')}
          {...register('username')}
        />
      </Section>
      <Section anchor="notifications" title={t('notifications.title')} lead={t('notifications.lead')}>
        <div className="flex flex-col">
          <Switch label={t('notifications.email')} {...register('preferences.email_notifications')} />
          {user.email_verification !== 'verified' && (
            <p className="mb-1 text-sm text-muted">{t(`notifications.mail_${user.email_verification}`)}</p>
          )}
          <Switch label={t('notifications.push')} {...register('preferences.push_notifications')} />
          <PushToggle />
        </div>
        <Field label={t('notifications.frequency')} hint={t('notifications.frequency_hint')}>
          <Select {...register('preferences.email_frequency')}>
            {FREQUENCIES.map((frequency) => (
              <option key={frequency} value={frequency}>
                {t(`notifications.frequencies.${frequency}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('notifications.scope')} hint={t('notifications.scope_hint')}>
          <Select {...register('preferences.notification_scope')}>
            {SCOPES.map((scope) => (
              <option key={scope} value={scope}>
                {t(`notifications.scopes.${scope}`)}
              </option>
            ))}
          </Select>
        </Field>
      </Section>
      <Appearance preferences={preferences} />
      <div className="flex flex-wrap items-center gap-4 border-t border-border py-5 md:pl-58">
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
