import { type ReactNode, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Link, useLocation, useNavigate } from 'react-router';
import { clearSessionAndRedirect, getAccessToken } from '../access-token.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { PasswordField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { useMinPasswordLength } from '../parts/password-minimum.ts';
import { PasswordStrengthHint } from '../parts/password-strength-hint.tsx';
import { Notice } from '../ui/notice.tsx';
import { AuthForm } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';

/** Sign-in page with the notice that the password was changed. */
const LOGIN_AFTER_RESET = '/login?reset=done';

/** `/reset-password#<token>`, the link of the reset email. Fragments are not sent to servers and reach no log. */
export function Component() {
  const { t } = useTranslation('auth');
  const secret = useLocation().hash.slice(1);
  const [failure, setFailure] = useState<ReactNode>(null);
  const navigate = useNavigate();
  const { register, handleSubmit, setError, control, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./auth-resolvers.ts')).resetResolver),
    defaultValues: { new_password: '' },
  });
  const { errors, isSubmitting } = formState;
  const password = useWatch({ control, name: 'new_password' });

  const submit = handleSubmit(async ({ new_password }) => {
    setFailure(null);
    try {
      await api('POST /auth/reset-password', { body: { token: secret, new_password } });
      // The reset revokes every session, this browser's too.
      if (getAccessToken() === null) await navigate(LOGIN_AFTER_RESET, { replace: true });
      else clearSessionAndRedirect(LOGIN_AFTER_RESET);
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });

  const wrong = errors.new_password;
  const min = useMinPasswordLength();
  return (
    <AuthLayout
      title={t('reset.title')}
      lead={t('reset.lead')}
      foot={
        <Link to="/forgot-password" className="link">
          {t('reset.again')}
        </Link>
      }
    >
      {secret === '' ? (
        <Notice kind="error">{t('reset.no_link')}</Notice>
      ) : (
        <AuthForm
          onSubmit={submit}
          failure={failure}
          submit={t(isSubmitting ? 'reset.submitting' : 'reset.submit')}
          submitting={isSubmitting}
        >
          <PasswordField
            label={t('reset.new_password')}
            hint={!wrong && <PasswordStrengthHint password={password} />}
            error={wrong && (wrong.type ? t('errors.password', { min }) : wrong.message)}
            autoComplete="new-password"
            {...register('new_password')}
          />
        </AuthForm>
      )}
    </AuthLayout>
  );
}
