import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEvent, WebhookKind } from '#contract/webhooks.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../ui/field.tsx';

/** As in the contract, whose schemas stay out of the bundle. */
const KINDS: WebhookKind[] = ['standard', 'slack', 'teams', 'discord'];
const EVENTS: WebhookEvent[] = [
  'error.new',
  'error.regressed',
  'error.assigned',
  'fix.suggested',
  'fix.undone',
  'fix.changed',
  'project.indexed',
  'project.failed',
  'payment.failed',
  'trial.ending',
  'budget.used',
];
const DEFAULT_EVENTS: WebhookEvent[] = ['error.new', 'error.regressed', 'fix.undone', 'project.failed'];

interface AddWebhookFormProps {
  projectId: string;
  /** Gets the secret of the new webhook, or null for a chat. */
  onCreated: (secret: string | null) => unknown;
}

/** Form that adds an outgoing webhook. */
export function AddWebhookForm({ projectId, onCreated }: AddWebhookFormProps) {
  const { t } = useTranslation('webhooks');
  const [kind, setKind] = useState<WebhookKind>('standard');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState(DEFAULT_EVENTS);
  const create = useMutation<{ secret: string | null }, ApiError>({
    mutationFn: () =>
      api('POST /projects/:id/webhooks', { params: { id: projectId }, body: { kind, url, events } }),
    onSuccess: ({ secret }) => {
      setUrl('');
      return onCreated(secret);
    },
  });
  const fields = create.error?.fields;
  const urlError = create.error && (fields?.url ?? (fields?.events ? undefined : create.error.message));
  const toggle = (event: WebhookEvent, checked: boolean) =>
    setEvents(EVENTS.filter((one) => (one === event ? checked : events.includes(one))));
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="basis-44">
          <Field label={t('kind_label')}>
            <Select value={kind} onChange={(event) => setKind(event.target.value as WebhookKind)}>
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {t(`kind.${one}`)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 flex-1 basis-64">
          <Field label={t('url')} error={urlError ?? undefined} hint={t(`hint.${kind}`)}>
            <Input
              type="url"
              autoComplete="off"
              placeholder="https://"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          </Field>
        </div>
      </div>
      <fieldset className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
        <legend className="mb-1.5 font-semibold">{t('events')}</legend>
        {EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={t(`event.${event}`)}
            checked={events.includes(event)}
            onChange={({ target }) => toggle(event, target.checked)}
          />
        ))}
      </fieldset>
      {fields?.events && <p className="text-sm font-medium">{fields.events}</p>}
      <div>
        <Button type="submit" loading={create.isPending}>
          {t('add')}
        </Button>
      </div>
    </form>
  );
}
