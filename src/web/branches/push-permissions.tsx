import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CodeHost, CodeHostKind } from '#contract/code-hosts.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { Switch } from '../ui/switch.tsx';
import { useToast } from '../ui/toast.tsx';

/** Owner's settings: pushing, pushing to the default branch, and the API of the code host. */
export function PushPermissions({ project }: { project: Project }) {
  const { t } = useTranslation('branches');
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (body: { may_push?: boolean; may_push_default?: boolean }) =>
      api('PATCH /projects/:id', { params: { id: project.id }, body }),
    onSuccess: (changed) => client.setQueryData(projectKeys.detail(project.id), changed),
  });
  const { may_push, may_push_default } = { ...project, ...(update.isPending && update.variables) };
  return (
    <div className="mt-10">
      <Section title={t('permissions.title')} lead={t('permissions.lead')}>
        <Switch
          label={t('permissions.may_push')}
          checked={may_push}
          onChange={(event) => update.mutate({ may_push: event.target.checked })}
        />
        <Switch
          label={t('permissions.may_push_default', { branch: project.branch ?? '' })}
          checked={may_push_default}
          disabled={!may_push}
          onChange={(event) => update.mutate({ may_push_default: event.target.checked })}
        />
        {update.error && (
          <Notice kind="error" onRetry={() => update.variables && update.mutate(update.variables)}>
            {update.error.message}
          </Notice>
        )}
      </Section>
      <Section title={t('host.title')} lead={t('host.lead')}>
        <CodeHostSettings project={project} />
      </Section>
    </div>
  );
}

function CodeHostSettings({ project }: { project: Project }) {
  const query = useQuery({
    ...apiQuery('GET /projects/:id/code-host', { params: { id: project.id } }),
    staleTime: 0,
  });
  return (
    <QueryState query={query} loading={['50%']}>
      {({ code_host }) => (
        <CodeHostForm
          key={`${code_host?.kind} ${code_host?.api_url} ${code_host?.has_token}`}
          project={project}
          host={code_host}
          onChanged={() => query.refetch()}
        />
      )}
    </QueryState>
  );
}

const HOST_NAMES: Record<CodeHostKind, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea, Forgejo',
};

interface CodeHostFormProps {
  project: Project;
  host: CodeHost | null;
  onChanged: () => unknown;
}

function CodeHostForm({ project, host, onChanged }: CodeHostFormProps) {
  const { t } = useTranslation('branches');
  const toast = useToast();
  const params = { id: project.id };
  const [kind, setKind] = useState<CodeHostKind>(host?.kind ?? 'github');
  const [apiUrl, setApiUrl] = useState(host?.api_url ?? '');
  const [token, setToken] = useState('');
  const onSuccess = async () => {
    toast(t('host.saved'));
    await onChanged();
  };
  const save = useMutation({
    mutationFn: () =>
      api('PUT /projects/:id/code-host', {
        params,
        body: { kind, api_url: apiUrl.trim() || null, token: token || null },
      }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /projects/:id/code-host', { params }),
    onSuccess,
  });
  const failure = save.error ?? remove.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex max-w-120 flex-col gap-4">
      <Field label={t('host.kind')}>
        <Select
          value={kind}
          onChange={(event) => {
            setKind(event.target.value as CodeHostKind);
            setApiUrl('');
          }}
        >
          {Object.entries(HOST_NAMES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('host.api_url')} hint={t('host.api_url_hint')}>
        <Input value={apiUrl} maxLength={2048} onChange={(event) => setApiUrl(event.target.value)} />
      </Field>
      <Field
        label={t('host.token')}
        hint={t(
          host?.token_unusable
            ? 'host.token_unusable'
            : host?.has_token
              ? 'host.token_stored'
              : 'host.token_hint',
        )}
      >
        <PasswordInput value={token} autoComplete="off" onChange={(event) => setToken(event.target.value)} />
      </Field>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" loading={save.isPending}>
          {t('host.save')}
        </Button>
        {host?.has_token && (
          <Button loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('host.remove')}
          </Button>
        )}
      </div>
    </form>
  );
}
