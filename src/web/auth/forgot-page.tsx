import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api } from '../api.ts';
import { checkLater } from '../parts/check-later.ts';
import { explain } from '../parts/form-failure.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { AuthLayout } from './auth-layout.tsx';

/** `/forgot-password`: asks for a letter, and says the same whether or not anybody has the address. */
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
    resolver: checkLater(async () => (await import('./schemas.ts')).forgotResolver),
    defaultValues: { email: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    try {
      await api('POST /auth/forgot-password', { body });
      onSent(body.email);
    } catch (error) {
      setFailure(explain(error, setError, t));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure && <Notice kind="error">{failure}</Notice>}
      <Field label={t('email')} error={errors.email && t('errors.email')}>
        <Input {...register('email')} type="email" autoComplete="email" required />
      </Field>
      <Button type="submit" kind="primary" loading={isSubmitting}>
        {t(isSubmitting ? 'forgot.submitting' : 'forgot.submit')}
      </Button>
    </form>
  );
}
