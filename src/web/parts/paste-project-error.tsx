import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorTextarea, SubmitKey } from './error-textarea.tsx';

interface PasteProjectErrorProps {
  projectId: string;
  /** Text in the field at first: the real error of the sample project. */
  preset?: string;
}

/** Box for an error of a project; submitting it starts the investigation. */
export function PasteProjectError({ projectId, preset = '' }: PasteProjectErrorProps) {
  const { t } = useTranslation('first-run');
  const navigate = useNavigate();
  const [text, setText] = useState(preset);
  const isPreset = text !== '' && text === preset;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    void navigate('/debug', {
      state: { request: { error_message: text, project_id: projectId }, start: true },
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      <div className="w-full">
        <Field label={t('try.paste')} hint={t(isPreset ? 'try.sample_text' : 'try.paste_hint')}>
          <ErrorTextarea
            rows={preset ? 11 : 6}
            value={text}
            maxLength={100_000}
            wrap="off"
            className="resize-y"
            onSubmitKey={submit}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" type="submit" disabled={text.trim() === ''}>
          {t('try.paste_go')}
        </Button>
        <SubmitKey />
      </div>
    </form>
  );
}
