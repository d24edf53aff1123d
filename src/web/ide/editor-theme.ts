import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** By tokens alone, so that one look serves light and dark. The code is ink; few things stand out. */
const highlighting = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.tagName], color: 'var(--action)' },
  { tag: [tags.string, tags.regexp, tags.character], color: 'var(--held)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.attributeName], color: 'var(--doubt)' },
  { tag: [tags.heading, tags.strong, tags.definition(tags.function(tags.variableName))], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--action)', textDecoration: 'underline' },
  { tag: tags.invalid, textDecoration: 'underline wavy' },
]);

const tint = (token: string, percent: number) =>
  `color-mix(in oklch, var(--${token}) ${percent}%, transparent)`;

const frame = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '0.78125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.25rem' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--select)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: tint('action', 28),
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    borderColor: 'var(--rule)',
    fontFamily: 'var(--sans)',
  },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--ground)',
    backgroundImage: 'none',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    borderRadius: '4px',
  },
  '.cm-foldPlaceholder': { background: 'transparent', color: 'var(--muted)', borderColor: 'var(--edge)' },
  '.cm-searchMatch, .cm-selectionMatch': {
    backgroundColor: tint('doubt', 30),
  },
  '.cm-specialChar': { color: 'var(--doubt)' },
  '.cm-diagnostic': { borderLeftColor: 'var(--ink)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--doubt)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--ink)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--doubt)' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecoration: 'underline dotted var(--muted)' },
  '.cm-lint-marker': { width: '0.75em', height: '0.75em' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--ink)', rotate: '45deg' },
  '.cm-lint-marker-warning': { content: 'none', backgroundColor: 'var(--doubt)' },
  '.cm-lint-marker-info': { content: 'none', backgroundColor: 'var(--muted)', borderRadius: '50%' },
  // The branch's version is quiet, the reader's own in the colour of action; red would name a suspect.
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: tint('muted', 12) },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: tint('action', 12) },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: tint('muted', 30) },
  '&.cm-merge-b .cm-changedText': { background: tint('action', 30) },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--muted)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--action)' },
  '.cm-collapsedLines': { background: 'var(--ground)', color: 'var(--muted)' },
  // The library's own marks are in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
});

/** How code looks in the editor. */
export const editorTheme = [frame, syntaxHighlighting(highlighting)];
