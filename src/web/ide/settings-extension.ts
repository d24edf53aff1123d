import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { EditorSettings } from './editor-settings.ts';

/** Compartment of what the settings decide. Key bindings of other editors come before those of this one. */
export const settingsCompartment = new Compartment();

/** Loads the extension of the settings; key bindings of Vim and Emacs have scripts of their own. */
export async function loadSettingsExtension(settings: EditorSettings): Promise<Extension> {
  const { fontSize, tabSize, wrap, keys } = settings;
  return [
    Prec.highest(await KEY_BINDINGS[keys]()),
    EditorState.tabSize.of(tabSize),
    wrap ? EditorView.lineWrapping : [],
    EditorView.theme({ '&': { fontSize: `${fontSize}px` }, '.cm-scroller': { lineHeight: '1.55' } }),
  ];
}

const KEY_BINDINGS: Record<EditorSettings['keys'], () => Extension | Promise<Extension>> = {
  default: () => [],
  vim: () => import('@replit/codemirror-vim').then(({ vim }) => vim({ status: true })),
  emacs: () => import('@replit/codemirror-emacs').then(({ emacs }) => emacs()),
};
