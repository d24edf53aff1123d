import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { SignupMode } from '#contract/auth.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { EmailField } from '../parts/account-fields.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { applyServerErrors } from '../parts/form-errors.ts';
import { accountKeys, adminKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

/** Sign-up mode and invitations. */
export function SignupView() {
  const { t } = useTranslation('admin');
  const setup = useQuery({ ...apiQuery('GET /auth/setup'), staleTime: 0 });
  const switches = useQuery({ ...apiQuery('GET /admin/features'), staleTime: 0 });
  if (switches.data?.signup === false) {
    return (
      <Notice>
        {t('signup.feature_disabled')}{' '}
        <Link to="?tab=switches" className="link">
          {t('signup.to_switches')}
        </Link>
      </Notice>
    );
  }
  return (
    <QueryState query={setup} loading={SKELETON_ROWS}>
      {({ signup }) => (
        <div className="flex max-w-[640px] flex-col gap-8">
          <SignupModeForm mode={signup} />
          {signup === 'invite' && <InviteForm />}
          {signup !== 'invite' && <p className="text-muted">{t(`signup.about.${signup}`)}</p>}
        </div>
      )}
    </QueryState>
  );
}

function SignupModeForm({ mode }: { mode: SignupMode }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const choose = useMutation({
    mutationFn: (next: SignupMode) => api('PUT /admin/signup', { body: { mode: next } }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.setup }),
  });
  const options = {
    open: t('signup.modes.open'),
    invite: t('signup.modes.invite'),
    closed: t('signup.modes.closed'),
  };
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl
        legend={t('signup.legend')}
        options={options}
        value={choose.isPending ? choose.variables : mode}
        onChange={(next) => choose.mutate(next)}
      />
      {choose.error && <Notice kind="error">{choose.error.message}</Notice>}
    </div>
  );
}

function InviteForm() {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const [created, setCreated] = useState<ApiReply<'POST /admin/invitations'> | null>(null);
  const { register, handleSubmit, setError, reset, formState } = useForm({ defaultValues: { email: '' } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ email }) => {
    setFailure(null);
    try {
      setCreated(await api('POST /admin/invitations', { body: { email: email.trim() || undefined } }));
      reset();
      await client.invalidateQueries({ queryKey: adminKeys.invitations });
    } catch (error) {
      setFailure(applyServerErrors(error, setError, t));
    }
  });
  return (
    <section>
      <h2 className="mb-2">{t('signup.invite')}</h2>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure && <Notice kind="error">{failure}</Notice>}
        <EmailField
          label={t('signup.email')}
          hint={t('signup.email_hint')}
          error={errors.email?.message}
          {...register('email')}
          required={false}
        />
        <Button type="submit" kind="primary" loading={isSubmitting} className="self-start">
          {t(isSubmitting ? 'signup.creating' : 'signup.create')}
        </Button>
      </form>
      {created && (
        <Notice className="mt-4">
          <p>{created.sent ? t('signup.sent', { email: created.email }) : t('signup.created')}</p>
          <div className="mt-1 flex flex-wrap items-start justify-between gap-2">
            <code className="min-w-0 flex-1 wrap-anywhere">{created.link}</code>
            <CopyButton text={created.link} />
          </div>
        </Notice>
      )}
      <InvitationList />
    </section>
  );
}

function InvitationList() {
  const { t, i18n } = useTranslation('admin');
  const invitations = useQuery(apiQuery('GET /admin/invitations'));
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => api('DELETE /admin/invitations/:id', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.invitations }),
  });
  return (
    <div className="mt-6">
      <h3 className="mb-2">{t('signup.pending')}</h3>
      <QueryState query={invitations} loading={SKELETON_ROWS}>
        {({ invitations: rows }) =>
          rows.length === 0 ? (
            <p className="text-muted">{t('signup.none')}</p>
          ) : (
            <ul className="border-b border-border">
              {rows.map(({ id, email, expires_at }) => (
                <li
                  key={id}
                  className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-border py-1"
                >
                  <span className="min-w-0 wrap-anywhere">{email ?? t('signup.anyone')}</span>
                  <span className="flex items-center gap-3 text-muted">
                    {t('signup.until', { date: formatLongDate(expires_at, i18n.language) })}
                    <Button
                      size="small"
                      loading={revoke.isPending && revoke.variables === id}
                      onClick={() => revoke.mutate(id)}
                    >
                      {t('signup.revoke')}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </div>
  );
}
