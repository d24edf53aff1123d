import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';

/** Passes an error to the debug page, with the project if there is only one. */
export function PasteErrorForm({ projects }: { projects: Project[] | undefined }) {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const [error, setError] = useState('');
  const [only, ...others] = projects ?? [];
  const go = async (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    const request: ApiInput<'POST /debug'>['body'] = {
      error_message: error,
      project_id: only && others.length === 0 ? only.id : '',
    };
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
      <Button kind="primary" type="submit">
        {t('paste.go')}
      </Button>
    </form>
  );
}
