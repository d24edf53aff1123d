import {
  ChangeSet,
  type EditorState,
  MapMode,
  StateEffect,
  StateField,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';

/** Says that the text was saved; the value leads from the saved text to that of the editor. */
const savedEffect = StateEffect.define<ChangeSet>();

/** Changes since the text was loaded or saved, so that what is known of the saved lines can be shown beside them. */
export const changesSinceSaved = StateField.define<ChangeSet>({
  create: ({ doc }) => ChangeSet.empty(doc.length),
  update(changes, transaction) {
    const saved = transaction.effects.find((effect) => effect.is(savedEffect));
    if (saved) return saved.value;
    return transaction.docChanged ? changes.compose(transaction.changes) : changes;
  },
});

/** Effect that makes `saved` the saved text of a document. */
export function textSaved(saved: Text, doc: Text): StateEffect<ChangeSet> {
  return savedEffect.of(changeBetween(saved, doc));
}

/** The one change that leads from a text to another: what lies between their common beginning and end. */
function changeBetween(before: Text, after: Text): ChangeSet {
  if (before.eq(after)) return ChangeSet.empty(before.length);
  const [one, other] = [before.toString(), after.toString()];
  const most = Math.min(one.length, other.length);
  let from = 0;
  while (from < most && one[from] === other[from]) from += 1;
  let end = 0;
  while (end < most - from && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const insert = after.slice(from, after.length - end);
  return ChangeSet.of({ from, to: before.length - end, insert }, before.length);
}

/** Turns a document into a text by one change, with the cursor where they differ. */
export function editTo(state: EditorState, text: string): TransactionSpec {
  const changes = changeBetween(state.doc, state.toText(text));
  let anchor: number | null = null;
  changes.iterChangedRanges((_fromA, _toA, fromB) => {
    anchor = fromB;
  });
  return anchor === null ? {} : { changes, selection: { anchor } };
}

/** Line of the editor at which a line of the saved text stands now, from 1; null for a line that is not there. */
export function currentLine(state: EditorState, saved: Text, line: number): number | null {
  if (line < 1 || line > saved.lines) return null;
  const changes = state.field(changesSinceSaved, false);
  if (!changes || changes.length !== saved.length) return Math.min(line, state.doc.lines);
  return state.doc.lineAt(changes.mapPos(saved.line(line).from, 1)).number;
}

/** Line of the saved text that a line of the editor is, changed or not; null for a line that was added. Lines count from 1. */
export function savedLine(state: EditorState, saved: Text, line: number): number | null {
  const changes = state.field(changesSinceSaved, false);
  if (!changes || changes.length !== saved.length) return line <= saved.lines ? line : null;
  const { doc } = state;
  const at = savedPosition(changes, doc.line(line).from);
  if (at === null || saved.lineAt(at).from !== at) return null;
  // Of two lines that come from one place, the first was added before the second.
  if (line < doc.lines && savedPosition(changes, doc.line(line + 1).from) === at) return null;
  return saved.lineAt(at).number;
}

/** Line of the saved text that a line of the editor is; for an added one, the line after which it was added, 0 for the top. */
export function savedPlace(
  state: EditorState,
  saved: Text,
  line: number,
): { line: number; isAdded: boolean } {
  const own = savedLine(state, saved, line);
  if (own !== null) return { line: own, isAdded: false };
  const changes = state.field(changesSinceSaved, false);
  if (!changes || changes.length !== saved.length) return { line: saved.lines, isAdded: true };
  const at = changes.invertedDesc.mapPos(state.doc.line(line).from, -1);
  const { number, from } = saved.lineAt(at);
  return { line: at === from ? number - 1 : number, isAdded: true };
}

/** Position in the saved text; null within added text. */
function savedPosition(changes: ChangeSet, position: number): number | null {
  return changes.invertedDesc.mapPos(position, 1, MapMode.TrackDel);
}
