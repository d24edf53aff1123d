import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { CODE_TAGS } from '../parts/code-tags.ts';

/** Uses design tokens only, so that one theme serves light and dark. */
const highlighting = HighlightStyle.define([
  ...Object.entries(CODE_TAGS).map(([kind, tag]) => ({
    tag,
    color: kind === 'comment' ? 'var(--muted)' : `var(--code-${kind})`,
  })),
  { tag: [tags.heading, tags.strong, tags.definition(tags.function(tags.variableName))], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' },
  { tag: tags.invalid, textDecoration: 'underline wavy' },
]);

const tint = (token: string, percent: number) =>
  `color-mix(in oklch, var(--${token}) ${percent}%, transparent)`;

const frame = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--surface)',
    color: 'var(--foreground)',
    fontSize: '0.78125rem',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.25rem' },
  '.cm-content': { caretColor: 'var(--foreground)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--foreground)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--select)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: tint('action', 28),
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--select) !important',
    color: 'var(--foreground) !important',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--foreground)',
    borderColor: 'var(--border)',
    fontFamily: 'var(--sans)',
  },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--background)',
    backgroundImage: 'none',
    color: 'var(--foreground)',
    border: '1px solid var(--control)',
    borderRadius: '4px',
    height: '1.5rem',
    margin: '0',
    padding: '0 0.5rem',
    fontFamily: 'inherit',
    fontSize: '0.8125rem',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.5rem',
    padding: '0.5rem 2.5rem 0.5rem 0.75rem',
    fontSize: '0.8125rem',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-search-count': { color: 'var(--muted)', fontSize: '12px', whiteSpace: 'nowrap' },
  '.cm-panel.cm-search .cm-textfield': { width: '9rem' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.25rem',
    fontSize: 'inherit',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': { margin: '0' },
  '.cm-panel.cm-search [name=close]': {
    top: '0.5rem',
    right: '0.75rem',
    width: '1.5rem',
    height: '1.5rem',
    color: 'var(--muted)',
    fontSize: '1.125rem',
  },
  '.cm-foldPlaceholder': { background: 'transparent', color: 'var(--muted)', borderColor: 'var(--control)' },
  '.cm-searchMatch, .cm-selectionMatch': {
    backgroundColor: tint('warning', 30),
  },
  '.cm-specialChar': { color: 'var(--warning)' },
  '.cm-diagnostic': { borderLeftColor: 'var(--foreground)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--foreground)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warning)' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecoration: 'underline dotted var(--muted)' },
  '.cm-gutter-lint': { width: '1.4em' },
  '.cm-lint-marker': { width: '0.75em', height: '0.75em' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--foreground)', rotate: '45deg' },
  '.cm-lint-marker-warning': { content: 'none', backgroundColor: 'var(--warning)' },
  '.cm-lint-marker-info': { content: 'none', backgroundColor: 'var(--muted)', borderRadius: '50%' },
  // Red is reserved for suspects: the branch is muted, the user's version in the action color.
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: tint('muted', 12) },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: tint('action', 12) },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: tint('muted', 30) },
  '&.cm-merge-b .cm-changedText': { background: tint('action', 30) },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--muted)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--action)' },
  '.cm-collapsedLines': { background: 'var(--background)', color: 'var(--muted)' },
  // The library's default marks are missing in most fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
});

/** Theme and syntax highlighting of the editor. */
export const editorTheme = [frame, syntaxHighlighting(highlighting)];
