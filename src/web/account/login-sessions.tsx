import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoginSession } from '#contract/auth.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { useToast } from '../ui/toast.tsx';

/** Sessions of the account, and sign-out of all others. */
export function LoginSessions() {
  const { t } = useTranslation('settings');
  const query = useQuery({ ...apiQuery('GET /auth/sessions'), staleTime: 0 });
  return (
    <Section anchor="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
      <QueryState query={query} loading={['46%', '38%']}>
        {({ sessions }) => <SessionList sessions={sessions} />}
      </QueryState>
    </Section>
  );
}

function SessionList({ sessions }: { sessions: LoginSession[] }) {
  const { t } = useTranslation('settings');
  const revokeOthers = useRevokeOtherSessions();
  return (
    <>
      <ul className="-mt-1.5 border-b border-border">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 border-border py-1.5 not-first:border-t"
          >
            <span className="min-w-0 wrap-anywhere">{session.device}</span>
            <span className="flex items-center gap-3 text-muted">
              {session.current ? t('sessions.current') : <RelativeTime at={session.last_used_at} />}
              {!session.current && <RevokeButton session={session} />}
            </span>
          </li>
        ))}
      </ul>
      {revokeOthers.error && <Notice kind="error">{revokeOthers.error.message}</Notice>}
      <Button
        disabled={sessions.length < 2}
        loading={revokeOthers.isPending}
        onClick={() => revokeOthers.mutate()}
        className="self-start"
      >
        {t(revokeOthers.isPending ? 'sessions.signing_out' : 'sessions.sign_out_others')}
      </Button>
    </>
  );
}

function RevokeButton({ session }: { session: LoginSession }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api('DELETE /auth/sessions/:id', { params: { id: session.id } }),
    // Also when it had expired already.
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
  return (
    <Button size="small" loading={revoke.isPending} onClick={() => revoke.mutate()}>
      {t('sessions.sign_out')}
    </Button>
  );
}

function useRevokeOtherSessions() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => api('DELETE /auth/sessions'),
    onSuccess: async ({ revoked }) => {
      toast(t('sessions.signed_out', { count: revoked }));
      await client.invalidateQueries({ queryKey: accountKeys.sessions });
    },
  });
}
