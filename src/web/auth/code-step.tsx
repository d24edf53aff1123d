import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SignedIn } from '#contract/auth.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { Field, Input } from '../ui/field.tsx';
import { AuthForm } from './auth-form.tsx';

interface TwoFactorCodeStepProps {
  /** Challenge returned by the first step. */
  challenge: string;
  onSignedIn: (reply: SignedIn) => Promise<void>;
  /** Called when the challenge has expired. */
  onExpired: () => void;
}

/** The second step of signing in: the code of an authenticator, or a recovery code. */
export function TwoFactorCodeStep({ challenge, onSignedIn, onExpired }: TwoFactorCodeStepProps) {
  const { t } = useTranslation('auth');
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./auth-resolvers.ts')).challengeCodeResolver),
    defaultValues: { code: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      await onSignedIn(await api('POST /auth/two-factor/sign-in', { body: { challenge, code } }));
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'challenge_expired') return onExpired();
      const isWrongCode = error instanceof ApiError && error.reason === 'invalid_code';
      setFailure(isWrongCode ? error.message : applyServerErrors(error, setError, t));
    }
  });

  return (
    <AuthForm
      onSubmit={submit}
      failure={failure}
      submit={t(isSubmitting ? 'login.submitting' : 'login.submit')}
      submitting={isSubmitting}
    >
      <Field label={t('code.label')} hint={t('code.hint')} error={errors.code && t('errors.code')}>
        <Input
          {...register('code')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          className="font-mono"
        />
      </Field>
    </AuthForm>
  );
}
