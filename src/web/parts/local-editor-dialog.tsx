import { type FormEvent, useState } from 'react';
import type { LocalEditor } from '#contract/local-editors.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { LOCAL_EDITOR_NAMES, type LocalEditorSetting, needsFolder } from './local-editor.ts';
import { useSaveLocalEditor } from './use-local-editor.ts';

interface LocalEditorDialogProps {
  project: { id: string; name: string };
  setting: LocalEditorSetting | null;
  onClose: () => void;
}

/** Chooses the editor on the reader's computer and the clone of a project. */
export function LocalEditorDialog({ project, setting, onClose }: LocalEditorDialogProps) {
  const { t } = useTranslation('local-editor');
  const [editor, setEditor] = useState<LocalEditor>(setting?.editor ?? 'vscode');
  const [clone, setClone] = useState(setting?.clone ?? '');
  const saving = useSaveLocalEditor(project.id);
  const apply = (next: LocalEditorSetting | null) => saving.mutate(next, { onSuccess: onClose });
  const byFolder = needsFolder(editor);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (clone.trim() !== '') apply({ editor, clone: clone.trim() });
  };
  return (
    <Dialog open size="narrow" onClose={onClose} title={t('title')} description={t('text')}>
      <form className="flex flex-col gap-4" onSubmit={save}>
        <Field label={t(byFolder ? 'folder' : 'project')}>
          <Input
            required
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-code"
            placeholder={byFolder ? `/home/me/${project.name}` : project.name}
            value={clone}
            onChange={(event) => setClone(event.target.value)}
          />
        </Field>
        <Field label={t('editor')}>
          <Select value={editor} onChange={(event) => setEditor(event.target.value as LocalEditor)}>
            {Object.entries(LOCAL_EDITOR_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        {saving.error && <Notice kind="error">{saving.error.message}</Notice>}
        <DialogActions>
          {setting && (
            <Button kind="ghost" className="mr-auto" onClick={() => apply(null)}>
              {t('remove')}
            </Button>
          )}
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" loading={saving.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
