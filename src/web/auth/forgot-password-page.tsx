import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { Notice } from '../ui/notice.tsx';
import { AuthForm } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';

/**
 * `/forgot-password`: requests a reset email. The reply is the same for unknown emails to prevent account
 * enumeration.
 */
export function Component() {
  const { t } = useTranslation('auth');
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthLayout
      title={t('forgot.title')}
      lead={t('forgot.lead')}
      foot={
        <Link to="/login" className="link">
          {t('forgot.back')}
        </Link>
      }
    >
      {sentTo === null ? (
        <ForgotForm onSent={setSentTo} />
      ) : (
        <Notice>
          <p>{t('forgot.sent', { email: sentTo })}</p>
          <p className="mt-2 text-muted">{t('forgot.sent_hint')}</p>
        </Notice>
      )}
    </AuthLayout>
  );
}

function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./auth-resolvers.ts')).forgotResolver),
    defaultValues: { email: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      await api('POST /auth/forgot-password', { body });
      onSent(body.email);
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });

  return (
    <AuthForm
      onSubmit={submit}
      failure={failure}
      submit={t(isSubmitting ? 'forgot.submitting' : 'forgot.submit')}
      submitting={isSubmitting}
    >
      <EmailField label={t('email')} error={errors.email && t('errors.email')} {...register('email')} />
    </AuthForm>
  );
}
