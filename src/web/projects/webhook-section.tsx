import { useMutation, useQuery } from '@tanstack/react-query';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';

/** Webhook URLs for code hosts and error trackers, and their secret, which is shown once. */
export function WebhookSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const params = { id: project.id };
  const query = useQuery({
    ...apiQuery('GET /projects/:id/hook', { params }),
    staleTime: 0,
  });
  const create = useMutation({
    mutationFn: () => api('POST /projects/:id/hook', { params }),
    onSuccess: () => query.refetch(),
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /projects/:id/hook', { params }),
    onSuccess: () => {
      create.reset();
      return query.refetch();
    },
  });
  const failure = create.error ?? remove.error;
  return (
    <Section title={t('webhooks.title')} lead={t('webhooks.lead')}>
      {failure && (
        <Notice kind="error" onRetry={() => query.refetch()}>
          {failure.message}
        </Notice>
      )}
      {create.data && (
        <Notice kind="info">
          <span className="flex flex-wrap items-center gap-2">
            {t('webhooks.secret')} <code className="wrap-anywhere">{create.data.secret}</code>
            <CopyButton text={create.data.secret} />
          </span>
        </Notice>
      )}
      <QueryState query={query} showStaleError loading={['60%']}>
        {(data) => (
          <>
            {data.created_at && (
              <dl className="flex flex-col gap-2">
                <CopyableUrl label={t('webhooks.push')} url={data.push_url} />
                <CopyableUrl label={t('webhooks.errors')} url={data.errors_url} />
              </dl>
            )}
            {data.last_delivery && (
              <p className="flex flex-wrap gap-x-2 text-muted">
                {t('webhooks.last')} <RelativeTime at={data.last_delivery.at} />
                <span className="font-mono">{data.last_delivery.event}</span>{' '}
                {t(`webhooks.outcome.${data.last_delivery.outcome}`)}
              </p>
            )}
            <div className="flex flex-wrap gap-2">
              <Button loading={create.isPending} onClick={() => create.mutate()}>
                {t(data.created_at ? 'webhooks.regenerate' : 'webhooks.generate')}
              </Button>
              {data.created_at && (
                <Button loading={remove.isPending} onClick={() => remove.mutate()}>
                  {t('webhooks.disable')}
                </Button>
              )}
            </div>
          </>
        )}
      </QueryState>
    </Section>
  );
}

function CopyableUrl({ label, url }: { label: string; url: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <code className="wrap-anywhere">{url}</code>
        <CopyButton text={url} />
      </dd>
    </div>
  );
}
