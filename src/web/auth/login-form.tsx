import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import type { SignedIn } from '#contract/auth.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { Checkbox } from '../ui/field.tsx';
import { AuthForm } from './auth-form.tsx';

interface LoginFormProps {
  onSignedIn: (reply: SignedIn) => Promise<void>;
  /** Called with the challenge of an account with two-factor authentication. */
  onChallenge: (challenge: string) => void;
  onRemember: (remember: boolean) => void;
}

/** The first step of signing in: the name and the password. */
export function LoginForm({ onSignedIn, onChallenge, onRemember }: LoginFormProps) {
  const { t } = useTranslation('auth');
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./auth-resolvers.ts')).loginResolver),
    defaultValues: { username: '', password: '', remember: false },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ remember, ...pair }) => {
    setFailure(null);
    try {
      const body = { ...pair, remember: remember ? ('true' as const) : ('false' as const) };
      const reply = await api('POST /auth/login', { body }, { encoding: 'form', checksCredentials: true });
      if ('challenge' in reply) onChallenge(reply.challenge);
      else await onSignedIn(reply);
    } catch (error) {
      const wrong = error instanceof ApiError && error.code === 'unauthenticated';
      setFailure(wrong ? t('errors.wrong_pair') : applyServerErrors(error, setError, t));
    }
  });

  return (
    <AuthForm
      onSubmit={submit}
      failure={failure}
      submit={t(isSubmitting ? 'login.submitting' : 'login.submit')}
      submitting={isSubmitting}
    >
      <UsernameField
        label={t('email_or_username')}
        error={errors.username && t('errors.login_name')}
        {...register('username')}
      />
      <PasswordField
        label={t('password')}
        error={errors.password && t('errors.password_missing')}
        autoComplete="current-password"
        {...register('password')}
      />
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
        <Checkbox
          label={t('login.remember')}
          {...register('remember', { onChange: (event) => onRemember(event.target.checked) })}
        />
        <Link to="/forgot-password" className="link">
          {t('login.forgot')}
        </Link>
      </div>
    </AuthForm>
  );
}
