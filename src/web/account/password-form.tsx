import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { PasswordField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { useMinPasswordLength } from '../parts/password-minimum.ts';
import { PasswordStrengthHint } from '../parts/password-strength-hint.tsx';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useToast } from '../ui/toast.tsx';

const EMPTY = { current_password: '', new_password: '' };

/** Changes the password, or sets a first one for an OAuth account. */
export function PasswordForm({ username, hasPassword }: { username: string; hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const toast = useToast();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, reset, control, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./settings-resolvers.ts')).passwordResolver),
    defaultValues: EMPTY,
  });
  const { errors, isSubmitting } = formState;
  const password = useWatch({ control, name: 'new_password' });
  const min = useMinPasswordLength();

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      const current_password = hasPassword ? body.current_password : undefined;
      await api('POST /auth/password', { body: { ...body, current_password } });
      await client.invalidateQueries({ queryKey: accountKeys.identities });
      reset(EMPTY);
      toast(t('password.done'));
      await client.invalidateQueries({ queryKey: accountKeys.sessions });
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });

  /** The server's error of a field, or our own text for one that the contract refused. */
  const fieldError = (field: keyof typeof EMPTY) =>
    errors[field] && (errors[field].type ? t(`password.errors.${field}`, { min }) : errors[field].message);

  return (
    <Section anchor="password" title={t('password.title')} lead={t('password.lead')}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure && <Notice kind="error">{failure}</Notice>}
        {/* Lets password managers associate the password with the username. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        {hasPassword && (
          <PasswordField
            label={t('parts:current_password')}
            error={fieldError('current_password')}
            autoComplete="current-password"
            {...register('current_password')}
          />
        )}
        <PasswordField
          label={t('password.new')}
          hint={!errors.new_password && <PasswordStrengthHint password={password} />}
          error={fieldError('new_password')}
          autoComplete="new-password"
          {...register('new_password')}
        />
        <Button type="submit" loading={isSubmitting} className="self-start">
          {t(isSubmitting ? 'password.submitting' : 'password.submit')}
        </Button>
      </form>
    </Section>
  );
}
