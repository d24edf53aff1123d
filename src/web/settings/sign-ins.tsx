import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SignIn } from '#contract/auth.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useToast } from '../ui/toast.tsx';
import { Section } from './section.tsx';

/** Where the account is open, and the way to end all but this place. */
export function SignIns() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({ ...read('GET /auth/sessions'), staleTime: 0 });
  return (
    <Section title={t('sign_ins.title')} lead={t('sign_ins.lead')}>
      {data && <List signIns={data.sessions} />}
      {!data && error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['46%', '38%']} />}
    </Section>
  );
}

function List({ signIns }: { signIns: SignIn[] }) {
  const { t } = useTranslation('settings');
  const end = useEndOthers();
  return (
    <>
      <ul className="-mt-1.5 border-b border-rule">
        {signIns.map((signIn) => (
          <li
            key={signIn.id}
            className="flex flex-wrap items-center justify-between gap-x-4 border-rule py-1.5 not-first:border-t"
          >
            <span className="min-w-0 wrap-anywhere">{signIn.device}</span>
            <span className="flex items-center gap-3 text-muted">
              {signIn.current ? t('sign_ins.here') : <RelativeTime at={signIn.last_used_at} />}
              {!signIn.current && <EndOne signIn={signIn} />}
            </span>
          </li>
        ))}
      </ul>
      {end.error && <Notice kind="error">{end.error.message}</Notice>}
      <Button
        disabled={signIns.length < 2}
        loading={end.isPending}
        onClick={() => end.mutate()}
        className="self-start"
      >
        {t(end.isPending ? 'sign_ins.ending' : 'sign_ins.end')}
      </Button>
    </>
  );
}

function EndOne({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api('DELETE /auth/sessions/:id', { params: { id: signIn.id } }),
    // Also when it had ended already.
    onSettled: () => client.invalidateQueries({ queryKey: read('GET /auth/sessions').queryKey }),
  });
  return (
    <Button size="small" loading={end.isPending} onClick={() => end.mutate()}>
      {t('sign_ins.end_this')}
    </Button>
  );
}

function useEndOthers() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => api('DELETE /auth/sessions'),
    onSuccess: async ({ ended }) => {
      toast(t('sign_ins.ended', { count: ended }));
      await client.invalidateQueries({ queryKey: read('GET /auth/sessions').queryKey });
    },
  });
}
