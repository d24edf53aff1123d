import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';

/** Prompts of the editor. */
export type EditorPrompt =
  | { kind: 'new' }
  | { kind: 'rename'; path: string }
  | { kind: 'delete'; path: string }
  | { kind: 'close'; path: string }
  | { kind: 'leave'; count: number };

interface PromptDialogProps {
  prompt: EditorPrompt;
  onCancel: () => void;
  onPath: (path: string) => void;
  onConfirm: () => void;
}

/** Dialog that asks for a path or a confirmation. */
export function PromptDialog({ prompt, onCancel, onPath, onConfirm }: PromptDialogProps) {
  if (prompt.kind === 'new' || prompt.kind === 'rename')
    return <PathPrompt prompt={prompt} onCancel={onCancel} onPath={onPath} />;
  return <ConfirmPrompt prompt={prompt} onCancel={onCancel} onConfirm={onConfirm} />;
}

interface PathPromptProps {
  prompt: EditorPrompt & { kind: 'new' | 'rename' };
  onCancel: () => void;
  onPath: (path: string) => void;
}

function PathPrompt({ prompt, onCancel, onPath }: PathPromptProps) {
  const { t } = useTranslation('ide');
  const before = prompt.kind === 'rename' ? prompt.path : '';
  const [path, setPath] = useState(before);
  const wanted = path.trim().replace(/^\/+/, '');
  return (
    <Dialog open onClose={onCancel} title={t(prompt.kind === 'new' ? 'prompt.new' : 'prompt.rename')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '' && wanted !== before) onPath(wanted);
        }}
      >
        <Field label={t('prompt.path')} hint={t('prompt.path_hint')}>
          <Input
            className="font-mono"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <DialogActions>
          <Button onClick={onCancel}>{t('prompt.cancel')}</Button>
          <Button type="submit" kind="primary" disabled={wanted === '' || wanted === before}>
            {t(prompt.kind === 'new' ? 'prompt.new_confirm' : 'prompt.rename_confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ConfirmPromptProps {
  prompt: EditorPrompt & { kind: 'delete' | 'close' | 'leave' };
  onCancel: () => void;
  onConfirm: () => void;
}

function ConfirmPrompt({ prompt, onCancel, onConfirm }: ConfirmPromptProps) {
  const { t } = useTranslation('ide');
  const words =
    prompt.kind === 'leave'
      ? t('prompt.leave_text', { count: prompt.count })
      : t(prompt.kind === 'delete' ? 'prompt.delete_text' : 'prompt.close_text', { path: prompt.path });
  return (
    <Dialog open onClose={onCancel} size="narrow" title={t(`prompt.${prompt.kind}`)}>
      <p className="wrap-anywhere">{words}</p>
      <DialogActions>
        <Button onClick={onCancel}>{t('prompt.cancel')}</Button>
        <Button kind="danger" onClick={onConfirm}>
          {t(`prompt.${prompt.kind}_confirm`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
