import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Input, PasswordInput, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

type Body = ApiInput<'PUT /projects/:id/credential'>['body'];

/** True for an SSH URL, which needs a key; other URLs take a token. */
function isSshUrl(gitUrl: string): boolean {
  return /^ssh:|^[\w.-]+@[\w.-]+:/i.test(gitUrl.trim());
}

/** True when the credential's kind fits the URL. */
export function matchesUrl(credential: Body | null | undefined, gitUrl: string): boolean {
  return credential?.kind === (isSshUrl(gitUrl) ? 'ssh' : 'token');
}

/** Form for a token (https), or for a generated or pasted key (SSH). */
export function CredentialForm({ project, onDone }: { project: Project; onDone: () => void }) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const [body, setBody] = useState<Body>(
    isSshUrl(project.git_url) ? { kind: 'ssh' } : { kind: 'token', token: '' },
  );
  const params = { id: project.id };
  const save = useMutation<unknown, ApiError, Body>({
    mutationFn: (sent) => api('PUT /projects/:id/credential', { params, body: sent }),
    onSuccess: async () => {
      await client.invalidateQueries({
        queryKey: projectKeys.credential(project.id),
      });
      onDone();
    },
  });
  const isFieldError = ['token', 'username', 'private_key'].some((field) => save.error?.fields[field]);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(body);
      }}
    >
      {save.error && !isFieldError && <Notice kind="error">{save.error.message}</Notice>}
      <CredentialFields body={body} onChange={setBody} errors={save.error?.fields ?? {}} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" loading={save.isPending}>
          {t('credential.save')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

interface CredentialFieldsProps {
  body: Body;
  onChange: (body: Body) => void;
  errors: Record<string, string>;
}

/** Fields of a credential; secrets are never sent back by the server. */
function CredentialFields({ body, onChange, errors }: CredentialFieldsProps) {
  const { t } = useTranslation('projects');
  if (body.kind === 'token') {
    return (
      <>
        <Field label={t('credential.token')} error={errors.token} hint={t('credential.token_hint')}>
          <PasswordInput
            value={body.token}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => onChange({ ...body, token: event.target.value })}
          />
        </Field>
        <Field
          label={t('credential.username_optional')}
          error={errors.username}
          hint={t('credential.username_hint')}
        >
          <Input
            value={body.username ?? ''}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...body, username: event.target.value })}
          />
        </Field>
      </>
    );
  }
  const hasOwnKey = body.private_key !== undefined;
  return (
    <>
      <Checkbox
        label={t('credential.generate')}
        checked={!hasOwnKey}
        onChange={(event) =>
          onChange(event.target.checked ? { kind: 'ssh' } : { kind: 'ssh', private_key: '' })
        }
      />
      {hasOwnKey && (
        <Field
          label={t('credential.private_key')}
          error={errors.private_key}
          hint={t('credential.private_hint')}
        >
          <Textarea
            rows={6}
            value={body.private_key ?? ''}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-sm"
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
            onChange={(event) => onChange({ ...body, private_key: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}

interface CredentialToggleProps {
  gitUrl: string;
  credential: Body | null | undefined;
  onChange: (credential: Body | null) => void;
  errors: Record<string, string>;
}

/** Optional credential of a private repository. */
export function CredentialToggle({ gitUrl, credential, onChange, errors }: CredentialToggleProps) {
  const { t } = useTranslation('projects');
  const ssh = isSshUrl(gitUrl);
  const initial: Body = ssh ? { kind: 'ssh' } : { kind: 'token', token: '' };
  const shown = credential && credential.kind === initial.kind ? credential : null;
  return (
    <>
      <Checkbox
        label={t('credential.is_private')}
        checked={shown !== null}
        onChange={(event) => onChange(event.target.checked ? initial : null)}
      />
      {shown && <CredentialFields body={shown} onChange={onChange} errors={errors} />}
    </>
  );
}
