import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { editorTheme } from './editor-theme.ts';
import type { LineEnding } from './line-endings.ts';
import { changesSinceSaved } from './saved-text.ts';
import { settingsCompartment } from './settings-extension.ts';

/** Compartment of the language extension, which is loaded later. */
export const languageCompartment = new Compartment();
/** Compartments of the gutters that are loaded on demand: last changes of lines, and unsaved changes. */
export const blameCompartment = new Compartment();
export const changesCompartment = new Compartment();
/** Compartment of the accessible name, which changes with the path of the file. */
const labelCompartment = new Compartment();
/** Compartment of what listens to the text for its analysis. */
export const analysisCompartment = new Compartment();
/** Compartment of the marks of findings, whose script is loaded after the text is there; their gutter is kept free. */
export const findingsCompartment = new Compartment();
const FREE_GUTTER = gutter({ class: 'cm-gutter-lint' });
/** Compartment of completion and search, whose script is loaded after the text is there. */
export const aidsCompartment = new Compartment();

/** Bidirectional controls and tag characters, made visible in addition to the editor's own list. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

interface EditorStateOptions {
  content: string;
  ends: LineEnding;
  readOnly: boolean;
  /** Accessible name. */
  label: string;
  /** Texts of the search panel. */
  phrases: Record<string, string>;
}

/**
 * Creates the state of a document. Esc then Tab leaves the editor. As in other editors, Alt-click adds a cursor and
 * Shift-Alt-drag selects a column, since Ctrl-click goes to a definition.
 */
export function createEditorState(options: EditorStateOptions): EditorState {
  const { content, ends, readOnly, label, phrases } = options;
  return EditorState.create({
    doc: content,
    extensions: [
      settingsCompartment.of([]),
      blameCompartment.of([]),
      findingsCompartment.of(FREE_GUTTER),
      lineNumbers(),
      changesCompartment.of([]),
      foldGutter(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      highlightSpecialChars({ addSpecialChars: HIDDEN }),
      EditorState.phrases.of(phrases),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      changesSinceSaved,
      indentUnit.of(detectIndent(content)),
      EditorState.allowMultipleSelections.of(true),
      EditorView.clickAddsSelectionRange.of(({ altKey }) => altKey),
      rectangularSelection({ eventFilter: ({ altKey, shiftKey }) => altKey && shiftKey }),
      crosshairCursor({ key: 'Alt' }),
      // Its keys come before the others.
      aidsCompartment.of([]),
      analysisCompartment.of([]),
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
      baseExtensions(ends, label),
      readOnly ? EditorState.readOnly.of(true) : [],
      languageCompartment.of([]),
    ],
  });
}

/** Indentation of a text: a tab, or the spaces by which its first indented line is moved in. */
function detectIndent(content: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(content.slice(0, 20_000)) ?? [];
  if (indent.startsWith('\t')) return '\t';
  return ' '.repeat(Math.min(Math.max(indent.length, 2), 8));
}

/** Theme, accessible name and line separator of every editor. */
export function baseExtensions(ends: LineEnding, label: string): Extension {
  return [
    editorTheme,
    labelCompartment.of(labelExtension(label)),
    ends === 'mixed' ? EditorState.lineSeparator.of('\n') : [],
  ];
}

/** Gives an editor another accessible name. */
export function setEditorLabel(view: EditorView, label: string): void {
  view.dispatch({ effects: labelCompartment.reconfigure(labelExtension(label)) });
}

function labelExtension(label: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
}
