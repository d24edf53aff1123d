import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import type { OwnModel, OwnModelPolicy } from '#contract/own-models.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, PasswordInput, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { ModelTest } from './model-test.tsx';

type ModelBody = ApiInput<'PUT /model/own'>['body'];
type Test = ApiReply<'POST /model/own/test'>;

/** Names as their makers write them. */
const PROVIDER_NAMES: Record<ModelBody['provider'], string> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible',
};

/** Language model of one's own: of the user, or of a project whose answers it writes for all members. */
export function OwnModelSection({ projectId }: { projectId?: string }) {
  const { t } = useTranslation('own-models');
  const calls = useOwnModel(projectId);
  const owner = projectId === undefined ? 'own' : 'project';
  const section = useRef<HTMLDivElement>(null);
  const isLoaded = calls.query.isSuccess;
  // The chat links here, and the section is there once the page has loaded.
  useEffect(() => {
    if (isLoaded && location.hash === '#model') section.current?.scrollIntoView();
  }, [isLoaded]);
  return (
    <div ref={section} id="model" className="scroll-mt-16">
      <Section title={t(`${owner}.title`)} lead={t(`${owner}.lead`)}>
        <QueryState query={calls.query} loading={['40%', '60%']}>
          {({ model, policy }) => (
            <>
              <StateNotice model={model} policy={policy} />
              {(policy.mode !== 'off' || model) && (
                <ModelForm key={model ? 'set' : 'unset'} model={model} policy={policy} calls={calls} />
              )}
              {model?.state === 'usable' && <ModelTest test={calls.test} />}
            </>
          )}
        </QueryState>
      </Section>
    </div>
  );
}

function StateNotice({ model, policy }: { model: OwnModel | null; policy: OwnModelPolicy }) {
  const { t } = useTranslation('own-models');
  if (model && model.state !== 'usable') {
    const params = { host: new URL(model.base_url).host };
    return <Notice kind="warning">{t(`state.${model.state}`, params)}</Notice>;
  }
  if (policy.mode === 'off') return <p className="text-muted">{t('policy.off')}</p>;
  const hosts = new Intl.ListFormat().format(policy.hosts);
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {policy.mode === 'public' ? t('policy.public') : t('policy.listed', { hosts: hosts || '–' })}
    </p>
  );
}

interface ModelFormProps {
  model: OwnModel | null;
  policy: OwnModelPolicy;
  calls: ReturnType<typeof useOwnModel>;
}

function ModelForm({ model, policy, calls: { save, remove, test } }: ModelFormProps) {
  const { t } = useTranslation('own-models');
  const [body, setBody] = useState<ModelBody>({
    provider: model?.provider ?? 'anthropic',
    name: model?.name ?? '',
    base_url: model?.base_url ?? '',
    api_key: '',
  });
  const change = (part: Partial<ModelBody>) => setBody({ ...body, ...part });
  const failure = save.error ?? remove.error;
  const errors = save.error?.fields ?? {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const sent = { ...body, base_url: body.base_url?.trim() || null, api_key: body.api_key?.trim() || null };
    test.reset();
    save.mutate(sent, {
      onSuccess: (saved) => {
        change({ api_key: '', base_url: saved.model?.base_url ?? '' });
        // A saved model is of use once it has answered.
        if (saved.model?.state === 'usable') test.mutate();
      },
    });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {failure && Object.keys(errors).length === 0 && <Notice kind="error">{failure.message}</Notice>}
      <ModelFields body={body} change={change} errors={errors} model={model} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" loading={save.isPending} disabled={policy.mode === 'off'}>
          {t(save.isPending ? 'saving' : 'save')}
        </Button>
        {model && (
          <Button loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('remove')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface ModelFieldsProps {
  body: ModelBody;
  change: (part: Partial<ModelBody>) => void;
  errors: Readonly<Record<string, string>>;
  model: OwnModel | null;
}

function ModelFields({ body, change, errors, model }: ModelFieldsProps) {
  const { t } = useTranslation('own-models');
  const needsUrl = body.provider === 'openai-compatible' || body.provider === 'ollama';
  return (
    <>
      <Field label={t('provider')} error={errors.provider}>
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
      <Field label={t('name')} hint={t('name_hint')} error={errors.name}>
        <Input
          value={body.name}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <Field
        label={t('base_url')}
        hint={t(needsUrl ? 'base_url_needed' : 'base_url_hint')}
        error={errors.base_url}
      >
        <Input
          value={body.base_url ?? ''}
          autoComplete="off"
          inputMode="url"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => change({ base_url: event.target.value })}
        />
      </Field>
      <Field label={t('key')} hint={t(model?.has_api_key ? 'key_kept' : 'key_hint')} error={errors.api_key}>
        <PasswordInput
          value={body.api_key ?? ''}
          autoComplete="off"
          className="font-mono"
          onChange={(event) => change({ api_key: event.target.value })}
        />
      </Field>
    </>
  );
}

/** Calls of the user's model, or of a project's. */
function useOwnModel(projectId: string | undefined) {
  const client = useQueryClient();
  const params = { id: projectId ?? '' };
  const options =
    projectId === undefined
      ? apiQuery('GET /model/own')
      : (apiQuery('GET /projects/:id/model', { params }) as unknown as ReturnType<
          typeof apiQuery<'GET /model/own'>
        >);
  const query = useQuery({ ...options, staleTime: 0 });
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['GET /projects/:id/model/answering'] });
    return client.invalidateQueries({ queryKey: options.queryKey });
  };
  const save = useMutation<ApiReply<'PUT /model/own'>, ApiError, ModelBody>({
    mutationFn: (body) =>
      projectId === undefined
        ? api('PUT /model/own', { body })
        : api('PUT /projects/:id/model', { params, body }),
    onSuccess: refresh,
  });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () =>
      projectId === undefined ? api('DELETE /model/own') : api('DELETE /projects/:id/model', { params }),
    onSuccess: refresh,
  });
  const test = useMutation<Test, ApiError>({
    mutationFn: () =>
      projectId === undefined
        ? api('POST /model/own/test')
        : api('POST /projects/:id/model/test', { params }),
    onSuccess: refresh,
  });
  return { query, save, remove, test };
}
