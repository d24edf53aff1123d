import { useTranslation } from '../../i18n.ts';
import { writeClipboard } from '../../parts/copy-button.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { EditorPrompt } from '../prompts.tsx';
import type { TreeRow } from './tree-rows.ts';

/** Actions on files and folders; without `onPrompt` they are only read. */
export interface TreeActions {
  onPrompt: ((prompt: EditorPrompt) => void) | undefined;
  /** Searches within a folder. */
  onSearchIn: (folder: string) => void;
}

/** Builds the items of a row's menu. */
export function useTreeMenu({ onPrompt, onSearchIn }: TreeActions): (row: TreeRow) => MenuItem[] {
  const { t } = useTranslation('editor');
  const toast = useToast();
  return ({ path, kind, notEditable }) => {
    const isFolder = kind === 'folder';
    const folder = isFolder ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    const edit = (label: string, prompt: EditorPrompt): MenuItem[] =>
      onPrompt ? [{ label, onSelect: () => onPrompt(prompt) }] : [];
    const copy = async () => {
      await writeClipboard(path);
      toast(t('tree.copied'));
    };
    return [
      ...edit(t('tree.new_file'), { kind: 'new', folder }),
      ...edit(t('tree.new_folder'), { kind: 'new_folder', folder }),
      ...(notEditable ? [] : edit(t('tree.rename'), { kind: 'rename', path, isFolder })),
      ...(notEditable ? [] : edit(t('tree.delete'), { kind: 'delete', path, isFolder })),
      ...(isFolder ? [{ label: t('tree.search'), onSelect: () => onSearchIn(path) }] : []),
      { label: t('tree.copy_path'), onSelect: () => void copy() },
    ];
  };
}
