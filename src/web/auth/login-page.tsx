import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import { ApiError, api } from '../api.ts';
import { PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { checkLater } from '../parts/check-later.ts';
import { explain } from '../parts/form-failure.ts';
import { Checkbox } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useArrival } from './arrive.ts';
import { AuthForm } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { SocialButtons } from './social-buttons.tsx';

/** `/login` */
export function Component() {
  const { t } = useTranslation('auth');
  const { arrive, arrived, address, suffix } = useArrival();
  const [query] = useSearchParams();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkLater(async () => (await import('./schemas.ts')).loginResolver),
    defaultValues: { username: '', password: '', remember: false },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ remember, ...pair }) => {
    setFailure(null);
    try {
      await arrive(
        await api('POST /auth/login', { body: { ...pair, remember: remember ? 'true' : 'false' } }),
      );
    } catch (error) {
      const wrong = error instanceof ApiError && error.code === 'unauthenticated';
      setFailure(wrong ? t('errors.wrong_pair') : explain(error, setError, t));
    }
  });

  if (arrived && !isSubmitting) return <Navigate to={address} replace />;
  return (
    <AuthLayout
      title={t('login.title')}
      lead={t('login.lead')}
      foot={
        <>
          {t('login.no_account')}{' '}
          <Link to={`/signup${suffix}`} className="link">
            {t('login.to_signup')}
          </Link>
        </>
      }
    >
      <AuthForm
        onSubmit={submit}
        failure={failure}
        submit={t(isSubmitting ? 'login.submitting' : 'login.submit')}
        submitting={isSubmitting}
      >
        {query.get('reset') === 'done' && !failure && <Notice>{t('reset.done')}</Notice>}
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
          <Checkbox label={t('login.remember')} {...register('remember')} />
          <Link to="/forgot-password" className="link">
            {t('login.forgot')}
          </Link>
        </div>
      </AuthForm>
      <SocialButtons />
    </AuthLayout>
  );
}
