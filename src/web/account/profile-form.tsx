import type { Profile } from '#contract/account.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField, PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { useProfileForm } from '../parts/use-profile-form.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface ProfileFormProps {
  user: Profile;
  onSaved: () => void;
  onCancel: () => void;
}

/** Form of the profile; the password is requested when the server requires it. */
export function ProfileForm({ user, onSaved, onCancel }: ProfileFormProps) {
  const { t } = useTranslation('profile');
  const { full_name, username, email, bio, location, website } = user;
  const {
    register,
    submit,
    fieldError,
    failure,
    isSubmitting,
    requiresPassword: asksPassword,
  } = useProfileForm({
    full_name: full_name ?? '',
    username,
    email,
    bio: bio ?? '',
    location: location ?? '',
    website: website ?? '',
  });
  return (
    <form noValidate onSubmit={(event) => void submit({}, onSaved)(event)} className="flex flex-col gap-4">
      {failure && <Notice kind="error">{failure}</Notice>}
      <Field label={t('full_name')} error={fieldError('full_name')}>
        <Input {...register('full_name')} autoComplete="name" autoFocus />
      </Field>
      <UsernameField label={t('username')} error={fieldError('username')} {...register('username')} />
      <EmailField label={t('email')} error={fieldError('email')} {...register('email')} />
      {asksPassword && (
        <PasswordField
          label={t('parts:current_password')}
          error={fieldError('current_password')}
          autoComplete="current-password"
          {...register('current_password')}
        />
      )}
      <Field label={t('bio')} error={fieldError('bio')}>
        <Textarea {...register('bio')} rows={4} />
      </Field>
      <Field label={t('location')} error={fieldError('location')}>
        <Input {...register('location')} />
      </Field>
      <Field label={t('website')} error={fieldError('website')}>
        <Input {...register('website')} inputMode="url" autoComplete="url" placeholder="https://" />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" loading={isSubmitting}>
          {t(isSubmitting ? 'saving' : 'save')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
