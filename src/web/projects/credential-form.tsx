import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CredentialFields, isSshUrl } from '../parts/credential-fields.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

type Body = ApiInput<'PUT /projects/:id/credential'>['body'];

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
