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

const frame = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '0.78125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.25rem' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--select)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklch, var(--action) 28%, transparent)',
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
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--action)',
    color: 'var(--on-action)',
  },
  '.cm-searchMatch, .cm-selectionMatch': {
    backgroundColor: 'color-mix(in oklch, var(--doubt) 30%, transparent)',
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
  '.cm-changedLine, .cm-merge-a .cm-changedLine, .cm-merge-b .cm-changedLine': {
    backgroundColor: 'color-mix(in oklch, var(--action) 12%, transparent)',
  },
  '.cm-changedText, .cm-merge-a .cm-changedText, .cm-merge-b .cm-changedText': {
    background: 'color-mix(in oklch, var(--action) 30%, transparent)',
  },
});

/** How code looks in the editor. */
export const editorLook = [frame, syntaxHighlighting(highlighting)];
