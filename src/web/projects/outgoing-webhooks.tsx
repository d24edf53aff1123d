import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '#contract/projects.ts';
import type { Webhook } from '#contract/webhooks.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { AddWebhookForm } from './add-webhook-form.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';

/** Outgoing webhooks of a project: events for programs and chats, with their deliveries. */
export function OutgoingWebhooks({ project }: { project: Project }) {
  const { t } = useTranslation('webhooks');
  const [secret, setSecret] = useState<string | null>(null);
  const query = useQuery(apiQuery('GET /projects/:id/webhooks', { params: { id: project.id } }));
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState query={query} showStaleError loading={['60%']}>
        {({ webhooks }) =>
          webhooks.length > 0 && (
            <ul className="border-b border-border">
              {webhooks.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  projectId={project.id}
                  webhook={webhook}
                  onChange={() => query.refetch()}
                />
              ))}
            </ul>
          )
        }
      </QueryState>
      {secret !== null && (
        <Notice action={<CopyButton text={secret} />}>
          <p>{t('secret')}</p>
          <p className="mt-1 font-mono text-sm break-all">{secret}</p>
        </Notice>
      )}
      <AddWebhookForm
        projectId={project.id}
        onCreated={(created) => {
          setSecret(created);
          return query.refetch();
        }}
      />
    </Section>
  );
}

interface WebhookRowProps {
  projectId: string;
  webhook: Webhook;
  onChange: () => Promise<unknown>;
}

function WebhookRow({ projectId, webhook, onChange }: WebhookRowProps) {
  const { t } = useTranslation('webhooks');
  const [open, setOpen] = useState(false);
  const params = { id: projectId, webhook: webhook.id };
  const test = useMutation({
    mutationFn: () => api('POST /projects/:id/webhooks/:webhook/test', { params }),
    onSuccess: () => setOpen(true),
  });
  const toggle = useMutation({
    mutationFn: () =>
      api('PATCH /projects/:id/webhooks/:webhook', { params, body: { enabled: !webhook.enabled } }),
    onSuccess: onChange,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /projects/:id/webhooks/:webhook', { params }),
    onSuccess: onChange,
  });
  const failure = test.error ?? toggle.error ?? remove.error;
  return (
    <li className="flex flex-col gap-2 border-t border-border py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-mono wrap-anywhere">{webhook.host}</span>
        <span className="text-muted">{t(`kind.${webhook.kind}`)}</span>
        <LastDelivery webhook={webhook} />
      </div>
      <p className="text-sm text-muted">{webhook.events.map((event) => t(`event.${event}`)).join(' · ')}</p>
      <div className="flex flex-wrap gap-2">
        <Button loading={test.isPending} disabled={!webhook.enabled} onClick={() => test.mutate()}>
          {t('test')}
        </Button>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('deliveries')}
        </Button>
        <Button loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {t(webhook.enabled ? 'disable' : 'enable')}
        </Button>
        <Button loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('delete')}
        </Button>
      </div>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      {open && <WebhookDeliveries projectId={projectId} webhookId={webhook.id} />}
    </li>
  );
}

function LastDelivery({ webhook: { enabled, last_delivery: last } }: { webhook: Webhook }) {
  if (!enabled) return <StateMark state="off" />;
  if (last === null) return null;
  return (
    <span className="flex items-center gap-2 text-muted">
      <StateMark state={last.ok ? 'ready' : 'failed'} />
      {last.status !== null && <span className="tabular-nums">{last.status}</span>}
      <RelativeTime at={last.at} />
    </span>
  );
}
