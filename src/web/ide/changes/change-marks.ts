import { Chunk, unifiedMergeView } from '@codemirror/merge';
import { type Extension, StateField, type Text, type Transaction } from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';

/** Texts of the buttons between the lines. */
interface ChangeWords {
  discard: string;
}

/** Marks what differs from the saved text in a gutter; a click on a mark shows the differences between the lines. */
export function changeGutter(saved: Text, onOpen: () => void): Extension {
  const chunks = chunksField(saved);
  return [
    chunks,
    gutter({
      class: 'cm-changes',
      lineMarker(view, line) {
        const found = findChunk(view.state.field(chunks), line.from);
        if (!found) return null;
        return found.fromA === found.toA ? ADDED : found.fromB === found.toB ? REMOVED : CHANGED;
      },
      lineMarkerChange: ({ docChanged }) => docChanged,
      domEventHandlers: {
        click(view, line) {
          if (!findChunk(view.state.field(chunks), line.from)) return false;
          onOpen();
          return true;
        },
      },
    }),
    theme,
  ];
}

/** Shows the differences from the saved text between the lines, each with a button that takes the saved lines back. */
export function inlineChanges(saved: Text, words: ChangeWords): Extension {
  return [
    unifiedMergeView({
      original: saved,
      gutter: true,
      allowInlineDiffs: true,
      mergeControls(kind, action) {
        const button = document.createElement('button');
        if (kind === 'accept') {
          button.hidden = true;
          return button;
        }
        button.type = 'button';
        button.className = 'cm-discard';
        button.textContent = words.discard;
        button.onclick = action;
        return button;
      },
    }),
    theme,
  ];
}

function chunksField(saved: Text): StateField<readonly Chunk[]> {
  return StateField.define<readonly Chunk[]>({
    create: ({ doc }) => Chunk.build(saved, doc, LIMITS),
    update: (chunks, { docChanged, newDoc, changes }: Transaction) =>
      docChanged ? Chunk.updateB(chunks, saved, newDoc, changes, LIMITS) : chunks,
  });
}

/** Keeps a key press short where most of a large file differs. */
const LIMITS = { scanLimit: 500, timeout: 40 };

/** Chunk that covers the line that begins at an offset. An empty one belongs to the line behind it. */
function findChunk(chunks: readonly Chunk[], from: number): Chunk | undefined {
  return chunks.find(({ fromB, toB }) => (fromB === toB ? from === fromB : from >= fromB && from < toB));
}

class ChangeMarker extends GutterMarker {
  override readonly elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const ADDED = new ChangeMarker('cm-change-added');
const CHANGED = new ChangeMarker('cm-change-changed');
const REMOVED = new ChangeMarker('cm-change-removed');

const theme = EditorView.theme({
  '.cm-changes': { width: '8px', cursor: 'pointer' },
  '.cm-changes .cm-gutterElement': { padding: '0' },
  '.cm-change-added': { boxShadow: 'inset 3px 0 var(--success)' },
  '.cm-change-changed': { boxShadow: 'inset 3px 0 var(--action)' },
  '.cm-change-removed': { boxShadow: 'inset 0 3px var(--warning)' },
  '.cm-deletedChunk': { paddingLeft: '6px', backgroundColor: 'var(--diff-delete)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'var(--diff-delete-mark)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--diff-add)' },
  '&.cm-merge-b .cm-changedText': { background: 'var(--diff-add-mark)' },
  // Without a top, each stands at its own lines.
  '.cm-deletedChunk .cm-chunkButtons': { insetInlineEnd: '12px', marginTop: '2px' },
  '.cm-discard': {
    padding: '0 8px',
    height: '20px',
    border: '1px solid var(--control) !important',
    borderRadius: '4px !important',
    background: 'var(--surface) !important',
    color: 'var(--foreground) !important',
    fontFamily: 'var(--sans)',
    fontSize: '12px',
  },
});
