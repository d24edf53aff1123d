import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Where code hosts and error trackers call, and the secret they sign with, which is shown once. */
export function HookSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const params = { id: project.id };
  const { data, error, refetch } = useQuery({ ...read('GET /projects/:id/hook', { params }), staleTime: 0 });
  const making = useMutation({
    mutationFn: () => api('POST /projects/:id/hook', { params }),
    onSuccess: () => refetch(),
  });
  const ending = useMutation({
    mutationFn: () => api('DELETE /projects/:id/hook', { params }),
    onSuccess: () => {
      making.reset();
      return refetch();
    },
  });
  const failure = error ?? making.error ?? ending.error;
  return (
    <Section title={t('hook.title')} lead={t('hook.lead')}>
      {failure && (
        <Notice kind="error" onRetry={() => refetch()}>
          {failure.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['60%']} />}
      {making.data && (
        <Notice kind="info">
          <span className="flex flex-wrap items-center gap-2">
            {t('hook.secret')} <code className="wrap-anywhere">{making.data.secret}</code>
            <CopyButton text={making.data.secret} />
          </span>
        </Notice>
      )}
      {data?.created_at && (
        <dl className="flex flex-col gap-2">
          <Address label={t('hook.push')} address={data.push_address} />
          <Address label={t('hook.errors')} address={data.errors_address} />
        </dl>
      )}
      {data?.last && (
        <p className="flex flex-wrap gap-x-2 text-muted">
          {t('hook.last')} <RelativeTime at={data.last.at} />
          <span className="font-mono">{data.last.kind}</span> {t(`hook.outcome.${data.last.outcome}`)}
        </p>
      )}
      {data && (
        <div className="flex flex-wrap gap-2">
          <Button loading={making.isPending} onClick={() => making.mutate()}>
            {t(data.created_at ? 'hook.renew' : 'hook.make')}
          </Button>
          {data.created_at && (
            <Button loading={ending.isPending} onClick={() => ending.mutate()}>
              {t('hook.end')}
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere">{address}</code>
        <CopyButton text={address} />
      </dd>
    </div>
  );
}
