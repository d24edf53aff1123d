import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import type { ModelConfig } from '#contract/models.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { adminKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Field, Input, PasswordInput, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { UsageByModelTable } from './model-usage-table.tsx';
import { OwnModelPolicyForm } from './own-model-policy.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

/** Settings, capability probe and usage of the language model. */
export function ModelView() {
  const { t } = useTranslation('admin');
  const state = useQuery({ ...apiQuery('GET /admin/model'), staleTime: 0 });
  return (
    <QueryState query={state} loading={SKELETON_ROWS}>
      {(model) => (
        <div className="flex flex-col gap-8">
          <section className="flex max-w-[640px] flex-col gap-4">
            <p className="text-muted">{t('model.lead')}</p>
            <p>{t(`model.set_by.${model.source ?? 'none'}`)}</p>
            {model.source === 'environment' ? <ModelDetails model={model} /> : <ModelForm model={model} />}
            {model.source !== null && <ModelProbe />}
          </section>
          <UsageByModelTable />
          <OwnModelPolicyForm />
        </div>
      )}
    </QueryState>
  );
}

function ModelDetails({ model }: { model: ModelConfig }) {
  const { t } = useTranslation('admin');
  return (
    <DescriptionList
      borderless
      items={{
        [t('model.provider')]: model.provider,
        [t('model.name')]: model.name,
        [t('model.base_url')]: <span className="font-mono text-sm break-all">{model.base_url}</span>,
      }}
    />
  );
}

type ModelBody = ApiInput<'PUT /admin/model'>['body'];

/** Names as their makers write them. */
const PROVIDER_NAMES: Record<ModelBody['provider'], string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible',
};

function ModelForm({ model }: { model: ModelConfig }) {
  const { t } = useTranslation('admin');
  const [body, setBody] = useState<ModelBody>({
    provider: model.provider ?? 'anthropic',
    name: model.name ?? '',
    base_url: model.base_url ?? '',
    api_key: '',
  });
  const change = (part: Partial<ModelBody>) => setBody({ ...body, ...part });
  const { save, remove } = useUpdateModel(() => change({ api_key: '' }));
  const failure = save.error ?? remove.error;
  const errors = failure?.fields ?? {};
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    save.mutate({ ...body, base_url: body.base_url || null, api_key: body.api_key || null });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {failure && Object.keys(errors).length === 0 && <Notice kind="error">{failure.message}</Notice>}
      <Field label={t('model.provider')} error={errors.provider}>
        <Select
          value={body.provider}
          onChange={(event) =>
            change({ provider: event.target.value as ModelBody['provider'], base_url: '' })
          }
        >
          {Object.entries(PROVIDER_NAMES).map(([provider, label]) => (
            <option key={provider} value={provider}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('model.name')} hint={t('model.name_hint')} error={errors.name}>
        <Input
          value={body.name}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field label={t('model.base_url')} hint={t('model.base_url_hint')} error={errors.base_url}>
        <Input
          value={body.base_url ?? ''}
          autoComplete="off"
          inputMode="url"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => change({ base_url: event.target.value })}
        />
      </Field>
      <Field
        label={t('model.key')}
        hint={t(model.has_api_key ? 'model.key_kept' : 'model.key_hint')}
        error={errors.api_key}
      >
        <PasswordInput
          value={body.api_key ?? ''}
          autoComplete="off"
          className="font-mono"
          onChange={(event) => change({ api_key: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" loading={save.isPending}>
          {t(save.isPending ? 'model.saving' : 'model.save')}
        </Button>
        {model.source !== null && (
          <Button loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('model.remove')}
          </Button>
        )}
      </div>
      {save.isSuccess && model.source !== null && <Notice>{t('model.saved')}</Notice>}
    </form>
  );
}

function useUpdateModel(onSaved: () => void) {
  const client = useQueryClient();
  const invalidate = () => client.invalidateQueries({ queryKey: adminKeys.model });
  const save = useMutation<ModelConfig, ApiError, ModelBody>({
    mutationFn: (body) => api('PUT /admin/model', { body }),
    onSuccess: async () => {
      onSaved();
      await invalidate();
    },
  });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /admin/model'),
    onSuccess: invalidate,
  });
  return { save, remove };
}

/** Probes the model with three small requests and lists its capabilities. */
function ModelProbe() {
  const { t } = useTranslation('admin');
  const probe = useMutation<ApiReply<'POST /admin/model/probe'>, ApiError>({
    mutationFn: () => api('POST /admin/model/probe'),
  });
  const result = probe.isPending ? undefined : probe.data;
  const failure = probe.error?.message ?? result?.error;
  return (
    <>
      <Button className="self-start" loading={probe.isPending} onClick={() => probe.mutate()}>
        {t(probe.isPending ? 'model.probing' : 'model.probe')}
      </Button>
      {failure && (
        <Notice kind="error">{[failure, result?.provider_message].filter(Boolean).join(' ')}</Notice>
      )}
      {result && !failure && <ModelCapabilities result={result} />}
    </>
  );
}

function ModelCapabilities({ result }: { result: ApiReply<'POST /admin/model/probe'> }) {
  const { t, i18n } = useTranslation('admin');
  const yesNo = (able: boolean) => t(able ? 'model.yes' : 'model.no');
  const count = (value: number) => value.toLocaleString(i18n.language);
  return (
    <>
      <Notice>{t('model.answers', { ms: count(Math.round(result.first_token_ms ?? 0)) })}</Notice>
      <DescriptionList
        borderless
        items={{
          [t('model.streaming')]: yesNo(result.streaming),
          [t('model.tools')]: yesNo(result.tools),
          [t('model.structured')]: yesNo(result.structured_output),
          [t('model.images')]: yesNo(result.images),
          [t('model.context')]:
            result.context_window === null
              ? t('model.unknown')
              : t('model.context_value', { tokens: count(result.context_window) }),
        }}
      />
    </>
  );
}
