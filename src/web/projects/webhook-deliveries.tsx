import { useMutation, useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '#contract/webhooks.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StateMark } from '../ui/state-mark.tsx';

const LIMIT = '30';
/** Interval while deliveries are queued. */
const POLL_MS = 2_000;
const STATES = { queued: 'queued', delivered: 'ready', failed: 'failed' } as const;

/** Newest deliveries of a webhook; finished ones can be sent again. */
export function WebhookDeliveries({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const { t } = useTranslation('webhooks');
  const params = { id: projectId, webhook: webhookId };
  const query = useQuery({
    ...apiQuery('GET /projects/:id/webhooks/:webhook/deliveries', { params, query: { limit: LIMIT } }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.state === 'queued') ? POLL_MS : false,
  });
  return (
    <QueryState
      query={query}
      showStaleError
      loading={['70%', '60%']}
      isEmpty={({ deliveries }) => deliveries.length === 0}
      empty={<p className="text-muted">{t('no_deliveries')}</p>}
    >
      {({ deliveries }) => (
        <ul className="border-l border-border pl-3">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              params={{ ...params, delivery: delivery.id }}
              onSent={() => query.refetch()}
            />
          ))}
        </ul>
      )}
    </QueryState>
  );
}

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  params: { id: string; webhook: string; delivery: string };
  onSent: () => Promise<unknown>;
}

function DeliveryRow({ delivery, params, onSent }: DeliveryRowProps) {
  const { t } = useTranslation('webhooks');
  const send = useMutation({
    mutationFn: () => api('POST /projects/:id/webhooks/:webhook/deliveries/:delivery', { params }),
    onSuccess: onSent,
  });
  const problem = send.error?.message ?? delivery.problem;
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-1">
      <StateMark state={STATES[delivery.state]} />
      <span>{t(`event.${delivery.event}`)}</span>
      {delivery.status !== null && <span className="text-muted tabular-nums">{delivery.status}</span>}
      <span className="text-muted">{t('attempts', { count: delivery.attempts })}</span>
      <RelativeTime at={delivery.finished_at ?? delivery.created_at} className="text-muted" />
      {delivery.state !== 'queued' && (
        <Button className="ml-auto" loading={send.isPending} onClick={() => send.mutate()}>
          {t('redeliver')}
        </Button>
      )}
      {problem !== null && <p className="w-full text-sm text-muted">{problem}</p>}
    </li>
  );
}
