import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { AllowHost } from '../parts/allow-host.tsx';
import { CredentialToggle, matchesUrl } from '../parts/credential-fields.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';

type Body = ApiInput<'PATCH /projects/:id'>['body'];
const FORM_FIELDS = ['name', 'git_url', 'description', 'token', 'username', 'private_key'];

/** Name, description and repository URL; a new URL is tested before it is saved. */
export function GeneralSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description ?? '');
  const [gitUrl, setGitUrl] = useState(project.git_url);
  const [credential, setCredential] = useState<Body['credential']>(null);
  const save = useUpdateProject(project, (changed) => {
    setCredential(null);
    setGitUrl(changed.git_url);
  });
  const urlChanged = gitUrl.trim() !== project.git_url;
  const errors = save.error?.fields ?? {};
  const submit = (event?: React.FormEvent) => {
    event?.preventDefault();
    const move = { git_url: gitUrl, credential: matchesUrl(credential, gitUrl) ? credential : null };
    save.mutate({ name, description, ...(urlChanged && move) });
  };
  return (
    <Section title={t('general.title')} lead={t('general.lead')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {save.error && !FORM_FIELDS.some((field) => errors[field]) && (
          <Notice kind="error">{save.error.message}</Notice>
        )}
        <Field label={t('add_dialog.name')} error={errors.name}>
          <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t('add_dialog.git_url')} error={errors.git_url} hint={t('general.hint')}>
          <Input
            value={gitUrl}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            className="font-mono"
            onChange={(event) => setGitUrl(event.target.value)}
          />
        </Field>
        <AllowHost error={save.error} gitUrl={gitUrl} onAllowed={() => submit()} />
        {urlChanged && hostOf(gitUrl) !== hostOf(project.git_url) && (
          <p className="text-sm text-muted">{t('general.credential_removed')}</p>
        )}
        {urlChanged && (
          <CredentialToggle
            gitUrl={gitUrl}
            credential={credential}
            onChange={setCredential}
            errors={errors}
          />
        )}
        <Field label={t('add_dialog.description')} error={errors.description}>
          <Textarea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
        <Button type="submit" loading={save.isPending} className="self-start">
          {t(save.isPending ? (urlChanged ? 'general.testing' : 'general.saving') : 'general.save')}
        </Button>
        {save.isSuccess && (
          <Notice>{t(save.variables.git_url === undefined ? 'general.done' : 'general.reindexing')}</Notice>
        )}
      </form>
    </Section>
  );
}

function useUpdateProject(project: Project, onDone: (changed: Project) => void) {
  const client = useQueryClient();
  const params = { id: project.id };
  return useMutation<Project, ApiError, Body>({
    mutationFn: (body) => api('PATCH /projects/:id', { params, body }),
    onSuccess: async (changed) => {
      client.setQueryData(projectKeys.detail(project.id), changed);
      onDone(changed);
      await client.invalidateQueries({ queryKey: projectKeys.list });
      await client.invalidateQueries({
        queryKey: projectKeys.credential(project.id),
      });
    },
  });
}

/** Host of `https://host:1/a` and `git@host:a` alike. */
function hostOf(gitUrl: string): string {
  return /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/:]+(?::\d+)?)/i.exec(gitUrl.trim())?.[1]?.toLowerCase() ?? '';
}
