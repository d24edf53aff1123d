import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput } from '#contract/api.ts';
import type { ApiKeyRow } from '#contract/keys.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { useProjects } from '../parts/use-project.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput, Select } from '../ui/field.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';

/** API keys: created, displayed once, revoked. */
export function ApiKeys() {
  const { t } = useTranslation('keys');
  const query = useQuery({ ...apiQuery('GET /keys'), staleTime: 0 });
  const [creating, setCreating] = useState(false);
  const [createdKey, setCreatedKey] = useState<string | null>(null);
  return (
    <Section anchor="keys" title={t('title')} lead={t('lead')}>
      <QueryState
        query={query}
        loading={['56%', '42%']}
        empty={!creating && <p className="text-muted">{t('none')}</p>}
        isEmpty={({ keys }) => keys.length === 0}
      >
        {({ keys }) => (
          <ul className="-mt-1.5 border-b border-border">
            {keys.map((key) => (
              <ApiKeyRowItem key={key.id} apiKey={key} />
            ))}
          </ul>
        )}
      </QueryState>
      {createdKey && (
        <Notice action={<CopyButton text={createdKey} label={t('copy')} />}>
          <p>{t('created')}</p>
          <p className="mt-1 font-mono text-sm break-all">{createdKey}</p>
        </Notice>
      )}
      {creating ? (
        <CreateKeyForm
          onDone={(key) => {
            setCreating(false);
            setCreatedKey(key);
          }}
        />
      ) : (
        <Button className="self-start" onClick={() => setCreating(true)}>
          {t('new_key')}
        </Button>
      )}
    </Section>
  );
}

function ApiKeyRowItem({ apiKey: key }: { apiKey: ApiKeyRow }) {
  const { t, i18n } = useTranslation('keys');
  const client = useQueryClient();
  const revoke = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /keys/:id', { params: { id: key.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: accountKeys.apiKeys }),
  });
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  const date = formatLongDate(key.expires_at ?? key.created_at, i18n.language);
  const expiryLabel =
    key.expires_at === null ? t('never_expires') : t(isExpired ? 'expired_on' : 'expires_on', { date });
  const projectLabel = key.project ? (key.project.name ?? t('project_gone')) : t('all_projects');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border py-2 not-first:border-t">
      <div className="min-w-0 flex-1 basis-56">
        <span className="font-semibold wrap-anywhere">{key.name}</span>{' '}
        <span className="font-mono text-sm text-muted">{key.prefix}…</span>
        <div className="text-sm text-muted">
          {[t(`scopes.${key.scope}`), projectLabel, expiryLabel].join(' · ')}
        </div>
        <div className="text-sm text-muted">
          {key.last_used_at === null ? (
            t('never_used')
          ) : (
            <>
              {t('last_used')} <RelativeTime at={key.last_used_at} />
            </>
          )}
        </div>
        {revoke.error && <p className="text-sm">{revoke.error.message}</p>}
      </div>
      <Button
        aria-label={t('revoke_named', { name: key.name })}
        loading={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {t('revoke')}
      </Button>
    </li>
  );
}

type Body = ApiInput<'POST /keys'>['body'];

function CreateKeyForm({ onDone }: { onDone: (key: string | null) => void }) {
  const { t } = useTranslation('keys');
  const client = useQueryClient();
  const [body, setBody] = useState<Body>({ name: '', scope: 'read', expires_in_days: 90 });
  const change = (part: Partial<Body>) => setBody({ ...body, ...part });
  const create = useMutation<{ key: string }, ApiError>({
    mutationFn: () => api('POST /keys', { body }),
    onSuccess: async ({ key }) => {
      await client.invalidateQueries({ queryKey: accountKeys.apiKeys });
      onDone(key);
    },
  });
  const errors = create.error?.fields ?? {};
  const requiresPassword = Boolean(errors.current_password) || body.current_password !== undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      {create.error && !errors.name && !errors.current_password && (
        <Notice kind="error">{create.error.message}</Notice>
      )}
      <Field label={t('name')} error={errors.name} hint={t('name_hint')}>
        <Input
          value={body.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <ApiKeyFields body={body} onChange={change} />
      {requiresPassword && (
        <Field label={t('parts:current_password')} error={errors.current_password}>
          <PasswordInput
            value={body.current_password ?? ''}
            autoComplete="current-password"
            onChange={(event) => change({ current_password: event.target.value })}
          />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" loading={create.isPending}>
          {t('submit')}
        </Button>
        <Button onClick={() => onDone(null)}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

interface ApiKeyFieldsProps {
  body: Body;
  onChange: (part: Partial<Body>) => void;
}

/** Scope, project and lifetime of a new key. */
function ApiKeyFields({ body, onChange }: ApiKeyFieldsProps) {
  const { t } = useTranslation('keys');
  const { data: projects = [] } = useProjects();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={t('scope')}>
          <Select
            value={body.scope}
            onChange={(event) => onChange({ scope: event.target.value as Body['scope'] })}
          >
            <option value="read">{t('scopes.read')}</option>
            <option value="write">{t('scopes.write')}</option>
          </Select>
        </Field>
        <Field label={t('project')}>
          <Select
            value={body.project_id ?? ''}
            onChange={(event) => onChange({ project_id: event.target.value || null })}
          >
            <option value="">{t('all_projects')}</option>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('expiration')}>
          <Select
            value={body.expires_in_days ?? ''}
            onChange={(event) =>
              onChange({ expires_in_days: (Number(event.target.value) || null) as Body['expires_in_days'] })
            }
          >
            {[30, 90, 365].map((days) => (
              <option key={days} value={days}>
                {t('days', { count: days })}
              </option>
            ))}
            <option value="">{t('never_expires')}</option>
          </Select>
        </Field>
      </div>
      <p className="text-sm text-muted">{t(`scope_hints.${body.scope}`)}</p>
    </>
  );
}
