import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { useProfileForm } from '../parts/use-profile-form.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface ProfileFormProps {
  user: Profile;
  onSaved: () => void;
  onCancel: () => void;
}

/** The fields of the profile, to be changed. The password is asked for only when the server wants it. */
export function ProfileForm({ user, onSaved, onCancel }: ProfileFormProps) {
  const { t } = useTranslation('profile');
  const { full_name, username, email, bio, location, website } = user;
  const { register, submit, wrong, failure, isSubmitting, asksPassword } = useProfileForm({
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
      <Field label={t('full_name')} error={wrong('full_name')}>
        <Input {...register('full_name')} autoComplete="name" autoFocus />
      </Field>
      <Field label={t('username')} error={wrong('username')}>
        <Input
          {...register('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
      <Field label={t('email')} error={wrong('email')}>
        <Input {...register('email')} type="email" autoComplete="email" required />
      </Field>
      {asksPassword && (
        <Field label={t('parts:current_password')} error={wrong('current_password')}>
          <PasswordInput {...register('current_password')} autoComplete="current-password" required />
        </Field>
      )}
      <Field label={t('bio')} error={wrong('bio')}>
        <Textarea {...register('bio')} rows={4} />
      </Field>
      <Field label={t('location')} error={wrong('location')}>
        <Input {...register('location')} />
      </Field>
      <Field label={t('website')} error={wrong('website')}>
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
