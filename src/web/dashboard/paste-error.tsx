import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorTextarea, SubmitKey } from '../parts/error-textarea.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { AddRepository } from './add-repository.tsx';

/** Box for an error: finds its project and asks there; the reader chooses where no project matches clearly. */
export function PasteErrorForm({ projects }: { projects: Project[] }) {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isAdding, setAdding] = useState(false);
  const open = (error_message: string, project_id: string | null) => {
    const request: ApiInput<'POST /debug'>['body'] = { error_message, project_id: project_id ?? '' };
    const state = project_id === null ? { request, choose_project: true } : { request, start: true };
    return navigate('/debug', { state });
  };
  const find = useMutation({
    mutationFn: (error: string) => findProject(error, projects),
    onSuccess: (project_id, error) => open(error, project_id),
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const error = field.current?.value.trim() ?? '';
    if (error === '') return field.current?.focus();
    if (projects.length === 0) return setAdding(true);
    if (!find.isPending) find.mutate(error);
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      <div className="w-full">
        <Field label={t('paste.label')} hint={t('paste.hint')}>
          <ErrorTextarea ref={field} rows={5} maxLength={100_000} onSubmitKey={submit} />
        </Field>
      </div>
      {find.error && (
        <Notice kind="error" className="w-full" onRetry={() => submit()}>
          {find.error.message}
        </Notice>
      )}
      {isAdding ? (
        <AddRepository onReady={(id) => void open(field.current?.value ?? '', id)} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button kind={projects.length > 0 ? 'primary' : 'plain'} type="submit" loading={find.isPending}>
            {t(find.isPending ? 'paste.finding' : 'paste.go')}
          </Button>
          <SubmitKey />
        </div>
      )}
    </form>
  );
}

/** Id of the project that an error belongs to; null when the reader has to choose. */
async function findProject(error: string, projects: Project[]): Promise<string | null> {
  const [only, ...others] = projects;
  if (only && others.length === 0) return only.id;
  const { projects: matches } = await api('POST /debug/match', { body: { error_message: error } });
  return matches.find(({ is_match }) => is_match)?.id ?? null;
}
