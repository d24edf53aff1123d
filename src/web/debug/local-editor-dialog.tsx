import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { LOCAL_EDITORS, type LocalEditor, type LocalEditorSetting, needsFolder } from './local-editor.ts';

interface LocalEditorDialogProps {
  projectName: string;
  setting: LocalEditorSetting | null;
  onSave: (setting: LocalEditorSetting | null) => void;
  onClose: () => void;
}

/** Chooses the editor on the reader's machine and the clone of this project; stays in this browser. */
export function LocalEditorDialog({ projectName, setting, onSave, onClose }: LocalEditorDialogProps) {
  const { t } = useTranslation('debug');
  const [editor, setEditor] = useState<LocalEditor>(setting?.editor ?? 'vscode');
  const [clone, setClone] = useState(setting?.clone ?? '');
  const byFolder = needsFolder(editor);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (clone.trim() !== '') onSave({ editor, clone: clone.trim() });
  };
  return (
    <Dialog open size="narrow" onClose={onClose} title={t('local.title')} description={t('local.text')}>
      <form className="flex flex-col gap-4" onSubmit={save}>
        <Field label={t(byFolder ? 'local.folder' : 'local.project')}>
          <Input
            required
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-code"
            placeholder={byFolder ? `/home/me/${projectName}` : projectName}
            value={clone}
            onChange={(event) => setClone(event.target.value)}
          />
        </Field>
        <Field label={t('local.editor')}>
          <Select value={editor} onChange={(event) => setEditor(event.target.value as LocalEditor)}>
            {Object.entries(LOCAL_EDITORS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          {setting && (
            <Button kind="ghost" className="mr-auto" onClick={() => onSave(null)}>
              {t('local.remove')}
            </Button>
          )}
          <Button onClick={onClose}>{t('local.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('local.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
