import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { AllowHost } from './allow-host.tsx';
import { CredentialToggle, matchesUrl } from './credential-fields.tsx';
import { lazyResolver } from './lazy-resolver.ts';
import { normalizeGitUrl, repositoryName } from './repository-name.ts';
import { useProjects } from './use-project.ts';

type Values = ApiInput<'POST /projects'>['body'];
const FIELDS = ['name', 'git_url', 'description'] as const;
/** Errors of these fields are shown by CredentialToggle. */
const CREDENTIAL_FIELDS = ['token', 'username', 'private_key'];

interface ConnectFormProps {
  submitLabel: string;
  /** Buttons beside the submit button. */
  actions?: ReactNode;
  /** Shows the description field. */
  hasDescription?: boolean;
}

/** Form that connects a repository: its URL first, a name derived from it. The URL is tested before the project is made. */
export function ConnectForm({ submitLabel, actions, hasDescription = false }: ConnectFormProps) {
  const { t } = useTranslation('first-run');
  const form = useForm<Values>({
    resolver: lazyResolver(async () => (await import('./connect-resolver.ts')).connectResolver),
    defaultValues: { name: '', git_url: '', description: '' },
  });
  const connect = useConnect((error) => {
    for (const field of FIELDS) {
      const message = error.fields[field];
      if (message) form.setError(field, { message }, { shouldFocus: true });
    }
  });
  const { errors, dirtyFields } = form.formState;
  const gitUrl = form.watch('git_url');
  const error = connect.error;
  const isFieldError = error && [...FIELDS, ...CREDENTIAL_FIELDS].some((field) => error.fields[field]);
  const submit = (isChecked: boolean) => form.handleSubmit((values) => connect.mutate({ values, isChecked }));
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit(false)}>
      <Field
        label={t('connect.git_url')}
        error={errors.git_url?.message}
        hint={!errors.git_url && <UrlHint gitUrl={gitUrl} />}
      >
        <Input
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="url"
          placeholder="https://github.com/owner/repository.git"
          className="font-mono text-code"
          {...form.register('git_url', {
            onChange: (event) => {
              connect.reset();
              if (!dirtyFields.name) form.setValue('name', repositoryName(event.target.value));
            },
          })}
        />
      </Field>
      <AllowHost error={error} gitUrl={gitUrl} onAllowed={() => void submit(false)()} />
      {error && !isFieldError && (
        <Notice
          kind="error"
          action={
            <Button size="small" onClick={() => void submit(true)()}>
              {t('connect.anyway')}
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      <Field label={t('connect.name')} error={errors.name?.message}>
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      <CredentialToggle
        gitUrl={gitUrl}
        credential={form.watch('credential') ?? null}
        onChange={(credential) => form.setValue('credential', credential)}
        errors={error?.fields ?? {}}
      />
      {hasDescription && (
        <Field label={t('connect.description')} error={errors.description?.message}>
          <Textarea rows={3} {...form.register('description')} />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" type="submit" loading={connect.isPending}>
          {connect.isPending ? t(`connect.${connect.step}`) : submitLabel}
        </Button>
        {actions}
      </div>
    </form>
  );
}

/** Tests the URL, then creates the project and opens it. */
function useConnect(onRefused: (error: ApiError) => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [step, setStep] = useState<'checking' | 'adding'>('checking');
  const mutation = useMutation<ApiReply<'POST /projects'>, ApiError, { values: Values; isChecked: boolean }>({
    mutationFn: async ({ values, isChecked }) => {
      // A credential for another kind of URL is not sent.
      const credential = matchesUrl(values.credential, values.git_url) ? values.credential : null;
      const { git_url } = values;
      // A generated key is not at the git server yet.
      const isGenerated = credential?.kind === 'ssh' && !credential.private_key;
      setStep('checking');
      if (!isChecked && !isGenerated)
        await api('POST /repositories/check', { body: { git_url, credential } });
      setStep('adding');
      const description = values.description?.trim() || null;
      return await api('POST /projects', { body: { ...values, description, credential } });
    },
    onError: onRefused,
    onSuccess: async ({ duplicate_of: duplicateOf, ...project }) => {
      client.setQueryData(projectKeys.detail(project.id), project);
      await client.invalidateQueries({ queryKey: projectKeys.list });
      await navigate(`/projects/${project.id}`, { state: { sameAs: duplicateOf } });
    },
  });
  return { ...mutation, step };
}

/** Accepted forms of a URL, or the project that it is connected to; connecting it again is allowed. */
function UrlHint({ gitUrl }: { gitUrl: string }) {
  const { t } = useTranslation('first-run');
  const { data } = useProjects();
  const duplicate = data?.find(({ git_url }) => normalizeGitUrl(git_url) === normalizeGitUrl(gitUrl));
  if (!duplicate) return t('connect.git_url_hint');
  return (
    <>
      {t('connect.duplicate')}{' '}
      <Link to={`/projects/${duplicate.id}`} className="link">
        {duplicate.name}
      </Link>
    </>
  );
}
