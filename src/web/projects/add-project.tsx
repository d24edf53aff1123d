import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { ApiInput } from '#contract/api.ts';
import { createProjectBody } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { formResolver } from '../parts/form-resolver.ts';
import { useProjects } from '../parts/use-project.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { CredentialToggle, matchesUrl } from './credential-form.tsx';

type Values = ApiInput<'POST /projects'>['body'];
const FIELDS = ['name', 'git_url', 'description'] as const;
/** Errors of these fields are shown by CredentialFields. */
const CREDENTIAL_FIELDS = ['token', 'username', 'private_key'];

/** Dialog that connects a repository and opens the new project. */
export function AddProjectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('projects');
  const form = useForm<Values>({
    resolver: formResolver(createProjectBody),
    defaultValues: { name: '', git_url: '', description: '' },
  });
  const create = useCreateProject((error) => {
    for (const field of FIELDS) {
      const message = error.fields[field];
      if (message) form.setError(field, { message }, { shouldFocus: true });
    }
  });
  const { errors } = form.formState;
  const hasFormError =
    create.error && ![...FIELDS, ...CREDENTIAL_FIELDS].some((field) => create.error?.fields[field]);
  return (
    <Dialog open onClose={onClose} title={t('add_dialog.title')} description={t('add_dialog.text')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={form.handleSubmit((values) => create.mutate(values))}
      >
        {create.error && hasFormError && <Notice kind="error">{create.error.message}</Notice>}
        <Field label={t('add_dialog.name')} error={errors.name?.message}>
          <Input autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('add_dialog.git_url')}
          error={errors.git_url?.message}
          hint={!errors.git_url && <DuplicateUrlHint gitUrl={form.watch('git_url')} />}
        >
          <Input
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            placeholder="https://github.com/owner/repository.git"
            className="font-mono"
            {...form.register('git_url')}
          />
        </Field>
        <CredentialToggle
          gitUrl={form.watch('git_url')}
          credential={form.watch('credential') ?? null}
          onChange={(credential) => form.setValue('credential', credential)}
          errors={create.error?.fields ?? {}}
        />
        <Field label={t('add_dialog.description')} error={errors.description?.message}>
          <Textarea rows={3} {...form.register('description')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" loading={create.isPending}>
            {t(create.isPending ? 'add_dialog.submitting' : 'add_dialog.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function useCreateProject(onRefused: (error: ApiError) => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<Awaited<ReturnType<typeof createProject>>, ApiError, Values>({
    mutationFn: createProject,
    onError: onRefused,
    onSuccess: async ({ duplicate_of: duplicateOf, ...project }) => {
      client.setQueryData(projectKeys.detail(project.id), project);
      await client.invalidateQueries({ queryKey: projectKeys.list });
      await navigate(`/projects/${project.id}`, { state: { sameAs: duplicateOf } });
    },
  });
}

function createProject(values: Values) {
  const description = values.description?.trim() || null;
  // A credential for another kind of URL is not sent.
  const credential = matchesUrl(values.credential, values.git_url) ? values.credential : null;
  return api('POST /projects', { body: { ...values, description, credential } });
}

/** Hint that the URL is already connected; connecting it again is allowed. */
function DuplicateUrlHint({ gitUrl }: { gitUrl: string }) {
  const { t } = useTranslation('projects');
  const { data } = useProjects();
  const duplicate = data?.find((project) => normalizeUrl(project.git_url) === normalizeUrl(gitUrl));
  if (!duplicate) return t('add_dialog.git_url_hint');
  return (
    <>
      {t('add_dialog.duplicate')}{' '}
      <Link to={`/projects/${duplicate.id}`} className="text-action underline">
        {duplicate.name}
      </Link>
    </>
  );
}

function normalizeUrl(gitUrl: string): string {
  return gitUrl
    .trim()
    .toLowerCase()
    .replace(/\/+$|\.git\/*$/g, '');
}
