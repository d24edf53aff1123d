import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';

/** Passes an error to the debug page, with the only project, or the one that the error matches. */
export function PasteErrorForm({ projects }: { projects: Project[] | undefined }) {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const [error, setError] = useState('');
  const [isMatching, setIsMatching] = useState(false);
  const go = async (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isMatching) return;
    setIsMatching(true);
    const project_id = await findProject(error, projects ?? []);
    setIsMatching(false);
    const request: ApiInput<'POST /debug'>['body'] = { error_message: error, project_id };
    await navigate('/debug', { state: { request } });
  };
  return (
    <form onSubmit={(event) => void go(event)} className="flex max-w-[720px] flex-col items-start gap-3">
      <div className="w-full">
        <Field label={t('paste.label')} hint={t('paste.hint')}>
          <Textarea
            rows={5}
            spellCheck={false}
            className="font-mono text-code"
            value={error}
            onChange={(event) => setError(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void go(event);
            }}
          />
        </Field>
      </div>
      <Button kind="primary" type="submit" disabled={isMatching}>
        {t('paste.go')}
      </Button>
    </form>
  );
}

/** Id of the project that an error belongs to; empty when the reader has to choose. */
async function findProject(error: string, projects: Project[]): Promise<string> {
  const [only, ...others] = projects;
  if (!only || others.length === 0) return only?.id ?? '';
  if (error.trim() === '') return '';
  try {
    const { projects: matches } = await api('POST /debug/match', { body: { error_message: error } });
    return matches.find(({ is_match }) => is_match)?.id ?? '';
  } catch {
    // The reader chooses on the next page.
    return '';
  }
}
