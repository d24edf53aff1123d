import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';

/** Asks for the path of a new file or folder, which begins in a folder. */
interface NewPrompt {
  kind: 'new' | 'new_folder';
  folder?: string;
}

/** Prompts of the editor. */
export type EditorPrompt =
  | NewPrompt
  /** `to` is the proposed path. */
  | { kind: 'rename'; path: string; to?: string; isFolder?: boolean }
  | { kind: 'delete'; path: string; isFolder?: boolean }
  | { kind: 'close'; path: string }
  | { kind: 'leave'; count: number };

interface PromptDialogProps {
  prompt: EditorPrompt;
  /** Unsaved files that a deletion takes with it. */
  unsaved: number;
  onCancel: () => void;
  onPath: (path: string) => void;
  onConfirm: () => void;
}

/** Dialog that asks for a path or a confirmation. */
export function PromptDialog({ prompt, unsaved, onCancel, onPath, onConfirm }: PromptDialogProps) {
  if (isPathPrompt(prompt)) return <PathPrompt prompt={prompt} onCancel={onCancel} onPath={onPath} />;
  return <ConfirmPrompt prompt={prompt} unsaved={unsaved} onCancel={onCancel} onConfirm={onConfirm} />;
}

type PathPromptOf = NewPrompt | Extract<EditorPrompt, { kind: 'rename' }>;

function isPathPrompt(prompt: EditorPrompt): prompt is PathPromptOf {
  return prompt.kind === 'new' || prompt.kind === 'new_folder' || prompt.kind === 'rename';
}

interface PathPromptProps {
  prompt: PathPromptOf;
  onCancel: () => void;
  onPath: (path: string) => void;
}

function PathPrompt({ prompt, onCancel, onPath }: PathPromptProps) {
  const { t } = useTranslation('ide');
  const before = prompt.kind === 'rename' ? prompt.path : '';
  const [path, setPath] = useState(initialPath(prompt));
  const wanted = path.trim().replace(/^\/+|\/+$/g, '');
  const isFile = prompt.kind === 'new' || (prompt.kind === 'rename' && !prompt.isFolder);
  const isReady = wanted !== '' && wanted !== before && !(isFile && path.trim().endsWith('/'));
  const words =
    prompt.kind === 'rename'
      ? ({
          title: prompt.isFolder ? 'prompt.rename_folder' : 'prompt.rename',
          confirm: 'prompt.rename_confirm',
        } as const)
      : ({ title: `prompt.${prompt.kind}`, confirm: 'prompt.new_confirm' } as const);
  return (
    <Dialog open onClose={onCancel} title={t(words.title)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onPath(wanted);
        }}
      >
        <Field
          label={t('prompt.path')}
          hint={t(prompt.kind === 'new_folder' ? 'prompt.folder_hint' : 'prompt.path_hint')}
        >
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
          <Button type="submit" kind="primary" disabled={!isReady}>
            {t(words.confirm)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function initialPath(prompt: PathPromptOf): string {
  if (prompt.kind === 'rename') return prompt.to ?? prompt.path;
  return prompt.folder ? `${prompt.folder}/` : '';
}

interface ConfirmPromptProps {
  prompt: Extract<EditorPrompt, { kind: 'delete' | 'close' | 'leave' }>;
  unsaved: number;
  onCancel: () => void;
  onConfirm: () => void;
}

function ConfirmPrompt({ prompt, unsaved, onCancel, onConfirm }: ConfirmPromptProps) {
  const { t } = useTranslation('ide');
  const words =
    prompt.kind === 'leave'
      ? t('prompt.leave_text', { count: prompt.count })
      : prompt.kind === 'close'
        ? t('prompt.close_text', { path: prompt.path })
        : t(prompt.isFolder ? 'prompt.delete_folder_text' : 'prompt.delete_text', { path: prompt.path });
  const title =
    prompt.kind === 'delete' && prompt.isFolder ? t('prompt.delete_folder') : t(`prompt.${prompt.kind}`);
  return (
    <Dialog open onClose={onCancel} size="narrow" title={title}>
      <p className="wrap-anywhere">
        {words} {prompt.kind === 'delete' && unsaved > 0 && t('prompt.delete_unsaved', { count: unsaved })}
      </p>
      <DialogActions>
        <Button onClick={onCancel}>{t('prompt.cancel')}</Button>
        <Button kind="danger" onClick={onConfirm}>
          {t(`prompt.${prompt.kind}_confirm`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
