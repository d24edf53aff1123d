import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { getAccessToken } from '../access-token.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { EmailVerificationNotice } from '../parts/email-verification-notice.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useCurrentUser } from '../user.ts';

const STORAGE_KEY = 'invitation';

/** Reads the token from the fragment and stores it for the sign-in: a path or query would reach server logs. */
function readInvitationToken(): string {
  const secret = location.hash.slice(1);
  if (secret) {
    sessionStorage.setItem(STORAGE_KEY, secret);
    history.replaceState(history.state, '', location.pathname);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}

/** `/invitation`: shows and accepts an invitation to a project. */
export function Component() {
  const { t } = useTranslation('projects');
  const [secret] = useState(readInvitationToken);
  return (
    <div className="mx-auto w-full max-w-[420px] pt-[6vh]">
      <PageTitle>{t('invitation.title')}</PageTitle>
      <h1 className="mb-4">{t('invitation.title')}</h1>
      {secret === '' && <Notice kind="error">{t('invitation.missing')}</Notice>}
      {secret !== '' &&
        (getAccessToken() === null ? <SignInPrompt /> : <InvitationPreview secret={secret} />)}
    </div>
  );
}

function SignInPrompt() {
  const { t } = useTranslation('projects');
  const next = `?next=${encodeURIComponent('/invitation')}`;
  return (
    <>
      <p className="mb-4">{t('invitation.sign_in')}</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={`/login${next}`}>
          {t('invitation.login')}
        </ButtonLink>
        <ButtonLink to={`/signup${next}`}>{t('invitation.signup')}</ButtonLink>
      </div>
    </>
  );
}

function InvitationPreview({ secret }: { secret: string }) {
  const query = useQuery<ApiReply<'POST /invitations/preview'>, ApiError>({
    queryKey: projectKeys.invitation(secret),
    queryFn: () => api('POST /invitations/preview', { body: { token: secret } }),
  });
  const { data, error } = query;
  if (!data && error?.status === 404) return <Notice kind="error">{error.message}</Notice>;
  return (
    <>
      <QueryState query={query} loading={['70%', '50%']}>
        {(offer) => <InvitationOffer secret={secret} offer={offer} />}
      </QueryState>
      {!data && error?.reason === 'email_unverified' && <ConfirmEmail />}
    </>
  );
}

/** Offers to resend the verification email. */
function ConfirmEmail() {
  const { data: user } = useCurrentUser();
  return <div className="mt-4">{user && <EmailVerificationNotice user={user} />}</div>;
}

function InvitationOffer({
  secret,
  offer,
}: {
  secret: string;
  offer: ApiReply<'POST /invitations/preview'>;
}) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation<{ project_id: string }, ApiError>({
    mutationFn: () => api('POST /invitations/accept', { body: { token: secret } }),
    onSuccess: async ({ project_id }) => {
      sessionStorage.removeItem(STORAGE_KEY);
      await client.invalidateQueries({ queryKey: projectKeys.list });
      await navigate(`/projects/${project_id}`, { replace: true });
    },
  });
  const role = t(`members.roles.${offer.role}`);
  return (
    <>
      <p>{t('invitation.offer', { user: offer.invited_by, project: offer.project_name, role })}</p>
      <p className="mt-1 mb-4 text-muted">{t(`invitation.permissions.${offer.role}`)}</p>
      {accept.error && (
        <Notice kind="error" className="mb-4">
          {accept.error.message}
        </Notice>
      )}
      {offer.project_id ? (
        <ButtonLink kind="primary" to={`/projects/${offer.project_id}`}>
          {t('invitation.open_project')}
        </ButtonLink>
      ) : (
        <Button kind="primary" loading={accept.isPending} onClick={() => accept.mutate()}>
          {t('invitation.accept')}
        </Button>
      )}
    </>
  );
}
