import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Link, Navigate, useLocation } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField, PasswordField, UsernameField } from '../parts/account-fields.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { useMinPasswordLength } from '../parts/password-minimum.ts';
import { PasswordStrengthHint } from '../parts/password-strength-hint.tsx';
import { accountKeys } from '../query-keys.ts';
import { Checkbox, Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { AuthForm } from './auth-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { refusalMessage } from './refusal-message.ts';
import { OAuthButtons } from './social-buttons.tsx';
import { useSignIn } from './use-sign-in.ts';

/** `/signup` */
export function Component() {
  const { t } = useTranslation('auth');
  const { completeSignIn, isSignedIn, nextPath, next, nextQuery } = useSignIn();
  const setup = useQuery(apiQuery('GET /auth/setup'));
  // Fragments are not sent to servers.
  const invitation = useLocation().hash.slice(1) || undefined;
  const invited = useInvitationPreview(invitation);
  const [isSubmitting, setIsSubmitting] = useState(false);
  const refusal = invited.isError ? 'invitation_invalid' : signupRefusal(setup.data, invitation);
  if (isSignedIn && !isSubmitting) return <Navigate to={nextPath} replace />;
  return (
    <AuthLayout
      title={t('signup.title')}
      lead={t(setup.data?.first_account ? 'signup.lead_first' : 'signup.lead')}
      foot={
        <>
          {t('signup.has_account')}{' '}
          <Link to={`/login${nextQuery}`} className="link">
            {t('signup.to_login')}
          </Link>
        </>
      }
    >
      {refusal ? (
        <>
          <Notice kind="error">{t(refusalMessage(refusal))}</Notice>
          {refusal === 'sso_required' && <OAuthButtons next={next} invitation={invitation} />}
        </>
      ) : (
        <>
          <SignupForm
            setup={setup}
            invitation={invitation}
            email={invited.data?.email ?? undefined}
            onSubmitting={setIsSubmitting}
            onRegistered={completeSignIn}
          />
          <OAuthButtons next={next} invitation={invitation} />
        </>
      )}
    </AuthLayout>
  );
}

interface SignupFormProps {
  setup: UseQueryResult<ApiReply<'GET /auth/setup'>, ApiError>;
  invitation: string | undefined;
  /** Email of the invitation, which cannot be changed. */
  email: string | undefined;
  onSubmitting: (submitting: boolean) => void;
  onRegistered: ReturnType<typeof useSignIn>['completeSignIn'];
}

function SignupForm({ setup, invitation, email, onSubmitting, onRegistered }: SignupFormProps) {
  const { t } = useTranslation('auth');
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, setValue, control, formState } = useForm({
    resolver: lazyResolver(async () => (await import('./auth-resolvers.ts')).signupResolver),
    defaultValues: { username: '', email: '', password: '', terms: false },
  });
  const { errors, isSubmitting } = formState;
  const password = useWatch({ control, name: 'password' });
  const min = useMinPasswordLength();

  const submit = handleSubmit(async ({ terms: _, ...body }) => {
    setFailure(null);
    onSubmitting(true);
    try {
      await onRegistered(
        await api('POST /auth/register', { body: { ...body, invitation_token: invitation } }),
      );
    } catch (error) {
      onSubmitting(false);
      setFailure(applyServerErrors(error, setError, t));
    }
  });

  /** The server's error of a field, or our own text for one that the contract refused. */
  const fieldError = (field: 'username' | 'email' | 'password' | 'setup_code') =>
    errors[field] && (errors[field].type ? t(`errors.${field}`, { min }) : errors[field].message);

  useEffect(() => {
    if (email) setValue('email', email);
  }, [email, setValue]);

  return (
    <AuthForm
      onSubmit={submit}
      failure={failure}
      submit={t(isSubmitting ? 'signup.submitting' : 'signup.submit')}
      submitting={isSubmitting}
    >
      {setup.isError && (
        <Notice kind="error" onRetry={() => setup.refetch()}>
          {setup.error.message}
        </Notice>
      )}
      {setup.data?.setup_code_required && (
        <Field label={t('setup_code')} hint={t('signup.setup_code_hint')} error={fieldError('setup_code')}>
          <Input
            {...register('setup_code')}
            autoComplete="off"
            spellCheck={false}
            required
            className="font-mono"
          />
        </Field>
      )}
      <UsernameField
        label={t('username')}
        hint={!errors.username && t('signup.username_hint')}
        error={fieldError('username')}
        {...register('username')}
      />
      <EmailField
        label={t('email')}
        error={fieldError('email')}
        readOnly={Boolean(email)}
        {...register('email')}
      />
      <PasswordField
        label={t('password')}
        hint={!errors.password && <PasswordStrengthHint password={password} />}
        error={fieldError('password')}
        autoComplete="new-password"
        {...register('password')}
      />
      <Checkbox
        label={<TermsLabel />}
        error={errors.terms && t('errors.terms')}
        {...register('terms')}
        required
      />
    </AuthForm>
  );
}

/** Consent with a link, between `<terms>` in the text, that opens in a new tab so that typed values are not lost. */
function TermsLabel() {
  const { t } = useTranslation('auth');
  const [before, link, after] = t('signup.terms').split(/<\/?terms>/);
  return (
    <>
      {before}
      <a href="/terms-and-conditions" target="_blank" rel="noreferrer" className="link">
        {link}
      </a>
      {after}
    </>
  );
}

/** Loads the invitation behind a token; disabled without one. */
function useInvitationPreview(token: string | undefined) {
  return useQuery({
    queryKey: accountKeys.signupInvitation(token),
    queryFn: () => api('POST /auth/invitation', { body: { token: token ?? '' } }),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Reason why sign-up is not possible, or null. */
function signupRefusal(setup: ApiReply<'GET /auth/setup'> | undefined, invitation: string | undefined) {
  if (!setup || setup.first_account) return null;
  if (setup.sso_required) return 'sso_required';
  if (setup.signup === 'open') return null;
  if (setup.signup === 'closed') return 'signup_closed';
  return invitation === undefined ? 'invitation_required' : null;
}
