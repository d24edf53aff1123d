import { Plus } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import type { DraftFieldProps } from './proof-draft.ts';

/** A file that is added to every checkout, such as a failing test. */
export function ScriptField({ draft: { script }, errors, onChange }: DraftFieldProps) {
  const { t } = useTranslation('proofs');
  if (script === null) {
    return (
      <Button
        size="small"
        className="self-start"
        onClick={() => onChange({ script: { path: '', text: '' } })}
      >
        <Plus aria-hidden className="size-3.5" />
        {t('script.add')}
      </Button>
    );
  }
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-border p-3">
      <Field
        label={t('script.path')}
        error={errors['script.path']}
        aside={
          <Button size="small" kind="ghost" onClick={() => onChange({ script: null })}>
            {t('script.remove')}
          </Button>
        }
      >
        <Input
          value={script.path}
          maxLength={1024}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={t('script.path_placeholder')}
          className="font-mono text-code"
          onChange={(event) => onChange({ script: { ...script, path: event.target.value } })}
        />
      </Field>
      <Field label={t('script.text')} error={errors['script.text']} hint={t('script.hint')}>
        <Textarea
          rows={6}
          value={script.text}
          maxLength={65_536}
          spellCheck={false}
          autoCapitalize="off"
          className="resize-y font-mono text-code"
          onChange={(event) => onChange({ script: { ...script, text: event.target.value } })}
        />
      </Field>
    </fieldset>
  );
}
