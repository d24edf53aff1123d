import { useEffect, useEffectEvent } from 'react';

/** Actions of the editor by their keys: `Mod` is Ctrl, or ⌘ on a Mac. */
type EditorKey =
  | 'Mod+S'
  | 'Mod+P'
  | 'Mod+G'
  | 'Mod+B'
  | 'Mod+\\'
  | 'Mod+Shift+O'
  | 'Mod+Shift+F'
  | 'Mod+Shift+E'
  | 'Mod+Shift+H'
  | 'F12'
  | 'Shift+F12';

/** Runs the action of a key before the text sees it. Keys that are not listed, or that dialogs use, are left alone. */
export function useEditorKeys(actions: Record<EditorKey, () => void>): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, shiftKey } = event;
    const isMod = event.ctrlKey || event.metaKey;
    if (altKey || event.isComposing) return;
    const held = [isMod && 'Mod', shiftKey && 'Shift'].filter(Boolean);
    const name = [...held, key.length === 1 ? key.toUpperCase() : key].join('+');
    const action = Object.hasOwn(actions, name) ? actions[name as EditorKey] : undefined;
    const inDialog = (event.target as HTMLElement).closest?.('[role=dialog]')?.id !== 'editor-frame';
    if (!action || (inDialog && name !== 'Mod+S' && event.target !== document.body)) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, []);
}
